import { words } from "../ui/format.ts";
import type { Step } from "./trace-requests.ts";

const lengthMax = 90;
const shortened = (text: string) => (text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text);

/** Returns the label of a trace: its question, else the name of its root step. */
export function findLabel(steps: readonly Step[]): string | undefined {
  const question = steps.find(({ type, content }) => type === "request" && content !== undefined && content !== "");
  if (question?.content) return shortened(question.content.replaceAll(/\s+/g, " "));
  const root = steps.find(({ parentId }) => parentId === undefined) ?? steps[0];
  return root === undefined ? undefined : shortened(root.name ?? words(root.type));
}
