/** Maximum number of characters of an expression. */
const maxLength = 1000;
const maxDepth = 100;

export type Calculated = { kind: 'value'; value: number } | { kind: 'invalid'; error: string };

/**
 * Evaluates an arithmetic expression: numbers, `+ - * / % ^`, signs, parentheses. `^` binds tighter than a
 * sign and is right-associative. Nothing is evaluated as code.
 */
export function calculate(expression: string): Calculated {
  if (expression.length > maxLength)
    return { kind: 'invalid', error: `the expression is longer than ${maxLength} characters` };
  const tokens = expression.match(token) ?? [];
  if (tokens.join('') !== expression.replaceAll(/\s/g, ''))
    return {
      kind: 'invalid',
      error: 'the expression may only contain numbers and + - * / % ^ ( )',
    };
  const reader: Reader = { tokens, at: 0 };
  const value = readSum(reader, 0);
  if (value === null || reader.at < tokens.length)
    return { kind: 'invalid', error: 'the expression is not complete' };
  if (!Number.isFinite(value))
    return { kind: 'invalid', error: 'the result is not a number: a division by zero, or too large' };
  return { kind: 'value', value: Number(value.toPrecision(15)) };
}

const token = /\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[-+*/%^()]/gi;

interface Reader {
  tokens: readonly string[];
  at: number;
}

type Operation = (left: number, right: number) => number;

const sums: Readonly<Record<string, Operation>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
};
const products: Readonly<Record<string, Operation>> = {
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

function readSum(reader: Reader, depth: number): number | null {
  return readChain(reader, sums, () => readChain(reader, products, () => readSigned(reader, depth)));
}

/** Reads operands with operators of one precedence between them, from the left. */
function readChain(
  reader: Reader,
  operations: Readonly<Record<string, Operation>>,
  readOperand: () => number | null,
): number | null {
  let value = readOperand();
  while (value !== null) {
    const operation = operations[reader.tokens[reader.at] ?? ''];
    if (operation === undefined) return value;
    reader.at += 1;
    const right = readOperand();
    value = right === null ? null : operation(value, right);
  }
  return null;
}

function readSigned(reader: Reader, depth: number): number | null {
  if (depth > maxDepth) return null;
  const sign = reader.tokens[reader.at];
  if (sign !== '-' && sign !== '+') return readPower(reader, depth);
  reader.at += 1;
  const value = readSigned(reader, depth + 1);
  return value === null || sign === '+' ? value : -value;
}

function readPower(reader: Reader, depth: number): number | null {
  const base = readOperand(reader, depth);
  if (base === null || reader.tokens[reader.at] !== '^') return base;
  reader.at += 1;
  const exponent = readSigned(reader, depth + 1);
  return exponent === null ? null : base ** exponent;
}

function readOperand(reader: Reader, depth: number): number | null {
  const text = reader.tokens[reader.at];
  if (text === undefined) return null;
  if (text === '(') {
    reader.at += 1;
    const value = readSum(reader, depth + 1);
    if (value === null || reader.tokens[reader.at] !== ')') return null;
    reader.at += 1;
    return value;
  }
  if (!/^[\d.]/.test(text)) return null;
  reader.at += 1;
  return Number(text);
}
