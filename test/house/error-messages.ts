// `node test/house/error-messages.ts` lists the product's error messages for review, each with its first location.

import { parseSync } from "rolldown/utils";
import { children, isNode, literal, type Node } from "./language.ts";
import { product, read } from "./sources.ts";

/** Functions and classes that create errors. */
const makers =
  /^(throw|Error|\w*(Error|Fault|Refusal|Failure|failure|fault|issue|invalid\w*|refus\w*)|notFound|unavailable|unauthenticated|forbidden|denied|conflict|tooLarge|malformedRequest|limitReached|deadlineExceeded|unsupported|failed|result|UnreadableText|problem)$/;

const calleeName = (callee: Node | undefined): string =>
  String(callee?.name ?? (callee?.type === "MemberExpression" ? (callee as { property?: Node }).property?.name : ""));

/** Returns the text of a literal or template, with `…` for each value. */
function sentence(node: Node): string | undefined {
  if (node.type === "TemplateLiteral") return children(node).flatMap(literal).join("…");
  return literal(node)[0];
}

function messagesIn(file: string): string[] {
  const { program } = parseSync(file, read(file));
  const found: string[] = [];
  const collect = (node: Node) => {
    const text = sentence(node);
    if (text !== undefined && /[a-z] [a-z]/.test(text)) found.push(text.replaceAll(/\s+/g, " "));
    if (node.type !== "TemplateLiteral") children(node).forEach(collect);
  };
  const visit = (node: Node) => {
    const isCall = node.type === "CallExpression" || node.type === "NewExpression";
    const isMessage = node.type === "Property" && node.key?.name === "message";
    if (isCall && makers.test(calleeName(node.callee))) (node.arguments ?? []).forEach(collect);
    else if (isMessage && isNode(node.value)) collect(node.value);
    else children(node).forEach(visit);
  };
  visit(program as unknown as Node);
  return found;
}

const places = new Map<string, string>();
for (const file of product.filter((each) => /^(services|gateway\/src|deploy|proto)\//.test(each)))
  for (const message of messagesIn(file)) if (!places.has(message)) places.set(message, file);
for (const [message, file] of [...places].sort()) console.log(`${message}  (${file})`);
console.log(`${places.size} messages`);
