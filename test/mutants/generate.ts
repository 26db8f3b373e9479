// Generates mutations of TypeScript, and of SQL in its texts.

import { parseAst } from "vitest/node";
import { lineAt, type Mutation } from "./mutation.ts";
import { sqlEdits } from "./sql-edits.ts";

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
type Edit = Pick<Mutation, "start" | "end" | "replacement">;

const operators: Readonly<Record<string, string>> = {
  // The opposite operator: a neighbor such as `<=` is often equivalent, since times are hardly ever equal.
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};
/** Calls without an effect that tests could observe, such as logging. */
const unobserved = /^(await )?[\w.#]*(\blog\b|\bobserve|\bcount[A-Z]|\bonDeleted|\bclearTimeout|\.unref)/;

/** Returns the mutations of a source file, in the order of their places. */
export function generate(file: string, source: string): Mutation[] {
  const edits: Edit[] = [];
  const [tests, defaults] = [new Set<unknown>(), new Set<unknown>()];
  visit(parseAst(source, { lang: "ts" }, file) as unknown as Node, (node) => {
    if (/^(If|Conditional)/.test(node.type)) tests.add(node.test);
    if (node.operator === "??") defaults.add(node.right);
    // A condition is replaced by true and by false, so its equality needs no mutation of its own.
    const isEquality = node.operator === "===" || node.operator === "!==";
    if (!(isEquality && tests.has(node)) && !defaults.has(node)) edits.push(...editsAt(node, source));
  });
  const seen = new Map<string, number>();
  return edits
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((edit) => {
      const named = `${lineAt(source, edit.start)} | ${short(source.slice(edit.start, edit.end))} → ${short(edit.replacement)}`;
      const nth = (seen.get(named) ?? 0) + 1;
      seen.set(named, nth);
      return { file, ...edit, label: nth === 1 ? named : `${named} (${nth})` };
    });
}

const short = (text: string) => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line || "nothing";
};

function visit(node: Node, see: (node: Node) => void): void {
  // Types have no effect; expressions within type assertions are visited.
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return;
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === "object" && typeof child.type === "string") visit(child as Node, see);
    }
  }
}

const isLiteral = ({ type, elements }: Node) =>
  type === "Literal" || (type === "ArrayExpression" && Array.isArray(elements) && elements.length === 0);

function editsAt(node: Node, source: string): Edit[] {
  const text = ({ start, end }: Node) => source.slice(start, end);
  const whole = (replacement: string): Edit => ({ start: node.start, end: node.end, replacement });
  const [left, right, test, argument] = [node.left, node.right, node.test, node.argument] as Node[];
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      if (left === undefined || right === undefined) return [];
      // Literal defaults only satisfy the compiler, which cannot know that an index exists.
      if (node.operator === "??") return isLiteral(right) ? [] : [whole(`(${text(left)})`)];
      // A product of literals is a limit.
      if (isLiteral(left) && isLiteral(right)) return [];
      const other = operators[String(node.operator)];
      // A plus that concatenates texts is not a sum.
      const isText = /["`]/.test(source[left.start] ?? "") || /["`]/.test(source[right.start] ?? "");
      if (other === undefined || (node.operator === "+" && isText)) return [];
      return [whole(`(${text(left)} ${other} ${text(right)})`)];
    }
    case "IfStatement":
    case "ConditionalExpression":
      if (test === undefined) return [];
      return ["true", "false"].map((replacement) => ({ start: test.start, end: test.end, replacement }));
    case "UnaryExpression":
      return node.operator === "!" && argument !== undefined ? [whole(`(${text(argument)})`)] : [];
    case "Literal":
      if (typeof node.value === "boolean") return [whole(String(!node.value))];
      return typeof node.value === "string" ? sqlEdits(text(node), node.start) : [];
    case "TemplateElement":
      return sqlEdits(text(node), node.start);
    case "ExpressionStatement": {
      const expression = node.expression as Node;
      const isCall = /^(Call|Await|Chain)Expression$/.test(expression.type);
      return isCall && !unobserved.test(text(node)) && !text(node).startsWith("super") ? [whole(";")] : [];
    }
    case "CallExpression": {
      const callee = node.callee as Node;
      const property = callee.property as Node | undefined;
      const isShortening = property !== undefined && /^(filter|slice|toSorted|sort|reverse)$/.test(text(property));
      return isShortening ? [whole(text(callee.object as Node))] : [];
    }
    default:
      return [];
  }
}
