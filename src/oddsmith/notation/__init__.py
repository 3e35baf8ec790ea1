"""The dice notation: text to tokens, to a syntax tree, to exact answers, rolls and sentences."""
