"""Programs with mistakes: what is said, what it points at, and how to mend it.

One saved program in nine does not parse; each kind of mistake has its own message.
"""

from __future__ import annotations

import pytest

from oddsmith.anydice import run

from .programs import refused

CASES = [
    # no output at all
    ("3d6", "3", "a value stands by itself", "write output"),
    ("X: 3d6", "X", "nothing is shown", "write output"),
    ("[highest 3 of 4d6]", "[", "a value stands by itself", "write output"),
    ("function: f { result: 1 }", "function", "nothing is shown", "write output"),
    ("X: 3 X", "X", "a variable stands by itself", "output X"),
    ("roll 3d6", "roll", "roll begins no statement", "output 3d6"),
    ("print 3d6", "print", "print begins no statement", "output 3d6"),
    ("d6", "d", "a value stands by itself", "output d6"),
    # a capital
    ("Output 3d6", "Output", "Output is not understood", "write it small: output"),
    ("OUTPUT 3d6", "OUTPUT", "OUTPUT is not understood", "write it small: output"),
    ("OutPut 3d6", "OutPut", "OutPut is not understood", "write it small: output"),
    ("LOOP N over {1} { output N }", "LOOP", "LOOP is not", "write it small: loop"),
    ("Loop N over {1} { output N }", "Loop", "Loop is not", "write it small: loop"),
    ("loop N Over {1} { output N }", "Over", "Over is not", "write it small: over"),
    ("Function: f { result: 1 }", "Function", "Function is not", "write it small: function"),
    ("FUNCTION: f { result: 1 }", "FUNCTION", "FUNCTION is not", "write it small: function"),
    ("function: f { Result: 1 }", "Result", "Result is not", "write it small: result"),
    ("function: f { RESULT 1 }", "RESULT", "RESULT is not", "write it small: result"),
    ("If 1 { output 1 }", "If", "If is not understood", "write it small: if"),
    ("if 1 { output 1 } Else { output 2 }", "Else", "Else is not", "write it small: else"),
    ("if 1 { output 1 } ELSE { output 2 }", "ELSE", "ELSE is not", "write it small: else"),
    ('output 3d6 Named "x"', "Named", "Named is not understood", "write it small: named"),
    ('Set "explode depth" to 3 output 1', "Set", "Set is not", "write it small: set"),
    ('set "explode depth" To 3 output 1', "To", "To is not", "write it small: to"),
    ("output 3D6", "D6", "dice are written with a small d", "d6"),
    ("output [Highest 3 of 4d6]", "H", "Highest is not understood", "highest"),
    # brackets
    ("output (3d6", "(", "this ( is never closed", ")"),
    ("output 3d6)", ")", "this ) closes nothing", "leave it out"),
    ("output [highest 3 of 4d6", "[", "this [ is never closed", "]"),
    ("output highest 3 of 4d6]", "]", "this ] closes nothing", "write [ before it"),
    ("output {1, 2", "{", "this { is never closed", "}"),
    ("output (3d6]", "]", "this ] does not close the ( before it", "write )"),
    ("output [highest 3 of (4d6]", "(", "this ( is never closed: ] comes before", "close it"),
    ("output 3d6 }", "}", "this } closes nothing", "leave it out"),
    ("function: f { result: 1 }}\noutput [f]", "}", "this } closes nothing", "leave it out"),
    ("output ()", "()", "these brackets are empty", "a value between"),
    ("output (3, 4)", ",", "commas stand in sequences only", "{1, 2, 3}"),
    ('output (3 named "x")', "named", "named does not fit inside ( )", "close"),
    # built-in functions without brackets
    ("output highest 3 of 4d6", "highest 3 of 4d6", "highest is a function",
     "[highest 3 of 4d6]"),
    ("output lowest 1 of 2d20 + 5", "lowest 1 of 2d20", "lowest is a function",
     "[lowest 1 of 2d20]"),
    ("output highest 1 of (2d20)", "highest 1 of (2d20)", "highest is a function",
     "[highest 1 of (2d20)]"),
    ("output explode d6", "explode d6", "explode is a function", "[explode d6]"),
    ("X: highest 3 of 4d6\noutput X", "highest 3 of 4d6", "highest is a function",
     "[highest 3 of 4d6]"),
    ("output 2 + maximum of 3d6", "maximum of 3d6", "maximum is a function",
     "[maximum of 3d6]"),
    ('output highest 3 of 4d6 named "x"', "highest 3 of 4d6", "highest is a function",
     "[highest 3 of 4d6]"),
    ("output highest", "highest", "highest is a function", "[highest 3 of 4d6]"),
    ("output 1 count 6 in ROLL", "count 6 in ROLL", "count is a function", "[count 6 in ROLL]"),
    # empty output
    ("output", "output", "output shows nothing", "output 3d6"),
    ('output named "x"', "output", "output shows nothing", "output 3d6"),
    ("output output 3d6", "output", "output shows nothing", "output 3d6"),
    ("output 3d6 output", "output", "output shows nothing", "output 3d6"),
    ("output: 3d6", ":", "no colon follows output", "output 3d6"),
    # quotes
    ('output 3d6 named "x', '"', "this name is never closed", 'another "'),
    ('output 3d6 named x"', '"', "this name is never closed", 'another "'),
    ("output 3d6 named x", "x", "a name stands in quotes", "named"),
    ("output 3d6 named", "named", "a name stands in quotes", "named"),
    ('output 3d6 "x"', '"x"', "a name stands by itself", "named in front"),
    ('output "x"', '"x"', "a text is no value", "named"),
    ("output 3d6 named 'x'", "'", "' has no meaning here", "double quotes"),
    ("output 3d6 named “x”", "“", "curly quotes are not understood", 'named "my dice"'),
    ("output 3d6 named „x“", "„", "curly quotes are not understood", 'named "my dice"'),
    ('named "x" output 3d6', "named", "named belongs to no output", "follows the value"),
    # numbers
    ("output 3.5d6", "3.5", "3.5 is no whole number", "whole numbers only"),
    ("output .5", ".5", ".5 is no whole number", "whole numbers only"),
    ("output 3d6 * 1.5", "1.5", "1.5 is no whole number", "whole numbers only"),
    ("output 3. + 1", "3.", "3. is no whole number", "whole numbers only"),
    ("output 1..3", "..", "a range stands by itself", "{1..6}"),
    ("output 10%", "%", "no percent signs", "d100 <= 10"),
    # signs of other languages
    ("output 3d6 == 7", "==", "== is not understood", "one ="),
    ("output 3d6 <> 7", "<>", "<> is not understood", "!="),
    ("output 3d6 => 7", "=>", "=> is not understood", ">="),
    ("output 3d6 =< 7", "=<", "=< is not understood", "<="),
    ("if 1 && 1 { output 1 }", "&&", "&& is not understood", "one &"),
    ("if 1 || 1 { output 1 }", "||", "|| is not understood", "one |"),
    ("output 2 ** 3", "**", "** is not understood", "^"),
    ("output 3d6 % 2", "%", "% has no meaning here", "A - B * (A / B)"),
    ("output d%", "%", "d% is not understood", "d100"),
    ("output 3d6;", ";", "; has no meaning here", "leave the ; out"),
    ("output 3d6; output 4d6", ";", "; has no meaning here", "leave the ; out"),
    ("output 3d6 // 2", "//", "// is not understood", "one /"),
    ("output 3d6 // two dice", "//", "// begins no comment", "backslashes"),
    ("// two dice\noutput 3d6", "//", "// begins no comment", "backslashes"),
    ("# two dice\noutput 3d6", "#", "# begins no comment", "backslashes"),
    ("\\ two dice\noutput 3d6", "\\", "this comment is never closed", "another backslash"),
    ("output 3 × d6", "×", "× has no meaning here", "write *"),
    ("output d6 – 1", "–", "– has no meaning here", "write -"),
    ("output d6 ≥ 4", "≥", "≥ has no meaning here", "write >="),
    ("output dé", "é", "é has no meaning here", "A to Z"),
    ("output 3d6 and d8", "and", "and is no operator", "write &"),
    ("output 3d6 or d8", "or", "or is no operator", "write |"),
    # dice of other notations
    ("output 4dF", "F", "dF is not understood", "d{-1..1}"),
    ("output 3d6kh2", "kh2", "kh is no part of this language", "[highest 2 of 3d6]"),
    ("output 4d6k3", "k3", "k is no part of this language", "[highest 3 of 4d6]"),
    ("output 2d20kl1", "kl1", "kl is no part of this language", "[lowest 1 of 2d20]"),
    ("output 2d20kl", "kl", "kl is no part of this language", "[lowest 1 of 2d20]"),
    ("output 4d6dl1", "dl1", "dl is no part of this language", "[highest 3 of 4d6]"),
    ("output 4d6dh1", "dh1", "dh is no part of this language", "[lowest 3 of 4d6]"),
    ("output d20adv", "adv", "adv is no part of this language", "[highest 1 of 2d20]"),
    ("output 2 + 4d6kh3", "kh3", "kh is no part", "[highest 3 of 4d6]"),
    ("output {4d6kh3, 1}", "kh3", "kh is no part", "[highest 3 of 4d6]"),
    ("output [highest 1 of 4d6kh3]", "[highest 1 of 4d6kh3]", "there is no function",
     "[highest 3 of 4d6]"),
    ("output d6!", "!", "dice do not explode with !", "[explode d6]"),
    ("output 5d10!", "!", "dice do not explode with !", "5d[explode d10]"),
    ("output 2d6r1", "r1", "r does not roll again", "d{2..6:6, 1..6:1}"),
    ("output 2d6e6", "e6", "dice explode in a function", "2d[explode d6]"),
    ("output 4d6 kh 3", "kh 3", "kh is no part of this language", "[highest 3 of 4d6]"),
    ("output 4d6h3", "h3", "h is no part of this language", "[highest 3 of 4d6]"),
    ("output 5d6m1", "m1", "m is no part of this language", "[middle 1 of 5d6]"),
    ("output d20 adv", "adv", "adv is no part of this language", "[highest 1 of 2d20]"),
    ("output 4d6 drop lowest 1", "drop", "drop is no operator", "[highest 3 of 4d6]"),
    ("output 2d6 vs d12", "vs", "vs is no operator", ">"),
    ("output 3 x d6", "x", "x is no operator", "*"),
    ("output 3d6x2", "x2", "dice explode in a function", "3d[explode d6]"),
    ("output d6 in {1, 2}", "in", "in is no operator", "[count {1, 2} in ROLL]"),
    ("output max(d6, d8)", "max", "there is no max here", "[highest of A and B]"),
    ("average 3d6", "average", "there is no average here", "above every output"),
    ("output d6 ? 1 : 0", "?", "? has no meaning here", "an if inside a function"),
    # comments and characters of other languages
    ("/* dice */ output 3d6", "/", "/* begins no comment", "backslashes"),
    ("-- dice\noutput 3d6", "-", "-- begins no comment", "backslashes"),
    ("output 3d6\u200b", "\u200b", "a character that cannot be seen, U+200B", "take it out"),
    ("output ½", "½", "½ is no whole number", "0 to 9"),
    ("output 1,000", "1,000", "1,000 is no number", "write 1000"),
    ("output 1_000", "_", "_ stands in a number", "digits alone"),
    ("output d100 <= 45%", "%", "no percent signs", "d100 <= 45"),
    # variables
    ("output X: 3d6", ":", "output shows a value, it sets none", "then output X"),
    ("DAMAGE: d8 output DAMGE", "DAMGE", "there is no variable DAMGE", "did you mean DAMAGE?"),
    ("x: 3", "x", "variables are written in capitals", "write X"),
    ("x = 3", "x", "variables are written in capitals", "write X"),
    ("str: 3", "str", "variables are written in capitals", "write STR"),
    ("Str: 3", "Str", "variables are written in capitals", "write STR"),
    ("output x", "x", "x is no value", "capitals: X"),
    ("output 3d6 + x", "x", "x is no value", "capitals: X"),
    ("X = 3", "X =", "a variable is set with a colon", "X: .."),
    ("X := 3", "=", "a variable is set with a colon", "leave the = out"),
    ("let X: 3", "let", "let begins no statement", "colon"),
    ("X 3d6", "X", "a variable stands by itself", "colon: X: .."),
    ("X: output 3d6", ":", "X: has no value", "3d6"),
    ("X1: 3", "X1", "names of variables have no digits", "X_A"),
    ("X: 3 output X2", "X2", "names of variables have no digits", "X_B"),
    ("X: 3 output 2X", "X", "2X is not understood", "2*X"),
    ("output X", "X", "there is no variable X", "X: 3d6"),
    ('output 1 named "[X]"', "output 1", "there is no variable X for the name", "X: 3"),
    # stray words and values
    ("output 3d6 foo", "foo", "foo begins no statement", "functions are called in [ ]"),
    ("ouput 3d6", "ouput", "ouput begins no statement", "write output"),
    ("outputs 3d6", "outputs", "outputs begins no statement", "write output"),
    ("output 2 3", "3", "a value stands by itself", "an operator"),
    ("output 3d6 4d6", "4", "a value stands by itself", "an operator"),
    ("output 3d6 +", "+", "nothing stands behind +", "3d6"),
    ("output 3d6 + named \"x\"", "+", "nothing stands behind +", "3d6"),
    ("output 3d", "d", "a die has no sides", "d6"),
    ('output 3d named "x"', "d", "a die has no sides", "d6"),
    ("output 3dx", "dx", "dx is no die", "d6"),
    ("output X?", "?", "? has no meaning here", "an if inside a function"),
    ("output ?", "?", "? is no value", "a variable or a number"),
    ("output 1, 2", ",", "a comma stands by itself", "one value"),
    ("return 3", "return", "return begins no statement", "result:"),
    ("while 1 { }", "while", "while begins no statement", "loop"),
    ("for X in {1} { }", "for", "for begins no statement", "loop N over"),
    # blocks
    ("if 1 output 3", "output", "the block of if is missing", "{ .. }"),
    ("if 1 then { output 3 }", "then", "then begins no statement", "braces"),
    ("if { output 3 }", "{", "a value is missing before this block", "before the {"),
    ("if 1 & { output 3 }", "{", "a value is missing before this block", "before the {"),
    ("if 1 { output 1 } elseif 2 { }", "elseif", "elseif begins no statement", "else if"),
    ("if 1 { output 1 } elif 2 { }", "elif", "elif begins no statement", "else if"),
    ("else { output 1 }", "else", "this else belongs to no if", "follows the }"),
    ("loop N over {1} output N", "output", "the block of loop is missing", "{ .. }"),
    ("loop N in {1} { output N }", "in", "a loop goes over something", "over {1..6}"),
    ("loop {1} { output 1 }", "{", "a loop needs a variable", "loop N over"),
    ("loop Xs over {1} { output 1 }", "Xs", "variables are written in capitals", "XS"),
    # functions
    ("function f N:n { result: N }", "f", "a colon follows the word function", "function: "),
    ("function: f(N) { result: N }", "(", "words and parameters only", "name of N:n"),
    ("function: f N:n, M:n { }", ",", "words and parameters only", "name of N:n"),
    ("function: f N:number { }", "number", "a number, a sequence or a die", ":n, :s or :d"),
    ("function: f x:n { }", "x", "parameters are written in capitals", "X:n"),
    ("function: f N1:n { }", "N", "parameters are capital letters only", "name of N:n"),
    ("function: f N:n result: 3", "result", "the body of the function is not in braces", "{ .. }"),
    ("function: f N:n", "function", "the function has no body", "{ .. }"),
    ("function: f { result 1 }", "1", "a colon follows result", "result:"),
    ("function: f { result: }", ":", "result: has no value", "3d6"),
    ("function: f { 3 }", "3", "a value stands by itself", "result: in front"),
    ("function: f N:n { N > 3 }", "N", "a variable stands by itself", "result: N"),
    ("function: f { output 4 }", "output", "output cannot stand inside a function", "below"),
    ("function: f { set \"explode depth\" to 3 }", "set", "set cannot stand inside", "below"),
    ("function: f { function: g { } }", "function", "function cannot stand inside", "below"),
    ("function: f { result: 3 X: 4 }", "X", "nothing may follow result:", "}"),
    ("function: f { if 1 { result: 3 result: 4 } }", "result", "nothing may follow result:", "}"),
    ("result: 3", "result", "result stands outside a function", "output"),
    ("if 1 { result: 3 }", "result", "result stands outside a function", "output"),
    ("output [f 3]", "[f 3]", "there is no function [f ?]", "define it before"),
    ("output [f] function: f { result: 1 }", "[f]", "there is no function [f]", "before"),
    ("output [highst 3 of 4d6]", "[highst 3 of 4d6]", "there is no function",
     "[highest ? of ?]"),
    ("output [4d6]", "[4d6]", "there is no function [?]", "without brackets: 4d6"),
    ("output [highest 3, 4d6]", ",", "arguments have no commas", "leave the comma out"),
    # sequences
    ("output d{1;2}", ";", "; has no meaning here", "commas between them"),
    ("output d[1, 2]", ",", "arguments have no commas", "in braces: {1, 2, 3}"),
    ("output {1, 2, }", ",", "the last comma has no part behind it", "leave it out"),
    ("output d{1, 2,}", ",", "the last comma has no part behind it", "leave it out"),
    ("output d{1 2}", "2", "commas between them", "write ,"),
    ("output {1,,2}", ",", "a part of the sequence is missing", "{1, 2, 3}"),
    ("output {1..}", "..", "the range has no end", "1..6"),
    ("output {1:}", ":", "how many times is missing", "5:3"),
    # values that do not fit
    ("if d6 > 3 { output 1 }", "d6 > 3", 'a condition is a number, not "d{?}"', "ROLL:n"),
    ("if 3d6 { output 1 }", "3d6", 'a condition is a number, not "3d6"', "ROLL:n"),
    ("if {} { output 1 }", "{}", 'a condition is a number, not "{?}"', "#X"),
    ("loop X over 3 { output X }", "3", 'goes over a sequence, not "3"', "{1..6}"),
    ("loop X over d6 { output X }", "d6", 'goes over a sequence, not "d6"', "{d6}"),
    ("output {d6..9}", "d6", "the begin of a range is a number", "N:n"),
    ("output {1..2d6}", "2d6", "the end of a range is a number", "N:n"),
    ("output {1:d6}", "d6", "how many times is a number", "N:n"),
    ("output d6@3d6", "d6@3d6", "places are numbers, not dice", "PLACE:n"),
    ("output 0^-1", "0^-1", "0 to the power of -1 is no number", "not 0"),
    ("output 9^9999999", "9^9999999", "too large", "smaller"),
    ("X: 9 loop I over {1..40} { X: X * X } output #X", "X * X", "too large", "smaller"),
    ("output {1..99999999}", "1", "the range is too long", "5,000,000"),
    # settings
    ("set explode depth to 3 output 1", "explode", "a setting stands in quotes", "set \""),
    ('set "explode depth" 3 output 1', "3", "set to something", "to 3"),
    ('set "explode depth" to output 1', "to", "the setting has no value", "to 3"),
    ('set "explode depht" to 3 output 1', 'set "explode depht" to 3', "there is no setting",
     '"explode depth"?'),
    ('set "Explode Depth" to 3 output 1', 'set "Explode Depth" to 3', "there is no setting",
     '"explode depth"?'),
    ('set "position order" to lowest first output 1', "lowest", "stands in quotes",
     '"lowest first"'),
    ('set "x" to 3 output 1', 'set "x" to 3', "there is no setting", "position order"),
    ('set "explode depth" to 0 output 1', 'set "explode depth" to 0', "above 0", "to 3"),
    ('set "explode depth" to "x" output 1', 'set "explode depth" to "x"', "above 0", "to 3"),
    ('set "maximum function depth" to -1 output 1', 'set "maximum function depth" to -1',
     "above 0", "to 3"),
    ('set "maximum function depth" to d6 output 1', 'set "maximum function depth" to d6',
     "above 0", "to 3"),
    ('set "position order" to 1 output 1', 'set "position order" to 1', "highest first",
     "lowest first"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "place", "message", "hint"), CASES, ids=[c[0] for c in CASES])
def test_what_is_said(program: str, place: str, message: str, hint: str) -> None:
    error = refused(program)
    start, end = error.span
    assert message in error.message
    assert hint in error.hint
    assert program[start:end] == place


def test_the_message_stands_above_its_place() -> None:
    error = refused("A: 3\n  output 4dF\nB: 2")
    assert str(error).splitlines() == [
        "dF is not understood",
        "    output 4dF",
        "             ^",
        "Fate dice are d{-1..1}",
    ]


def test_a_torn_name_is_blamed_where_it_begins() -> None:
    """The last of three quotes is not the one without a partner."""
    program = 'output 3d6 named "first\noutput 4d6 named "second"'
    assert refused(program).span == (17, 18)


def test_an_open_block_is_blamed_and_not_the_output_inside_it() -> None:
    program = "function: f N:n { if N { result: 1 }\noutput [f 3]"
    error = refused(program)
    assert error.message == "this { is never closed"
    assert program[: error.span[0]] == "function: f N:n "


def test_the_inner_block_is_blamed_where_it_is_open() -> None:
    program = "function: f N:n { if N { result: 1 \noutput [f 3]"
    error = refused(program)
    assert error.message == "this { is never closed"
    assert program[: error.span[0]] == "function: f N:n { if N "


@pytest.mark.parametrize(
    "program",
    [
        # each looks like a mistake of the table above and is none
        "RESULT: 3 OUTPUT: 4 output RESULT + OUTPUT",
        "F: 3 output 4dF",
        "D: 2 output D",
        "X: 2 output {X}@57",
        "function: roll X keep N { result: N } output [roll 2d6keep 3]",
        "function: k X r { result: 1 } output [k 2d6r]",
        'output 3d6 named "Output // == 50% “x” ; 3.5 (] d%"',
        "output 3d6 \\ Output // == 50% “x” ; 3.5 (] d% \\",
        "output {4..1}",
        "output {1-3}",
        "output d{1..3:2}",
        "function: highest { result: 1 } output [highest]",
        "A: 1 if A = 1 {output 1}else{output 2}",
        "output !1 | -1 & #1",
        "output - - 1",
        'set"explode depth"to 1 output 1',
    ],
)
def test_what_is_no_mistake(program: str) -> None:
    assert run(program).outputs
