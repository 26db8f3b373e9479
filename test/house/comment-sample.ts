// `node test/house/comment-sample.ts [count]` prints random comments, chosen by the commit's hash, for a reader who is
// new to the product: each must be clear by itself.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { parseSync } from "rolldown/utils";
import { read, root, sources } from "./sources.ts";

const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
const count = Number(process.argv[2] ?? 200);

/** Lists the comments of a file; consecutive lines are one comment. */
function commentsIn(file: string): { text: string; code: string }[] {
  const source = read(file);
  const found: { text: string; end: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of parseSync(file, source).comments) {
    const text = value
      .replaceAll(/^\s*\*+ ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const last = found.at(-1);
    const continues = last?.isLine && type === "Line" && /^\s*$/.test(source.slice(last.end, start));
    if (continues) Object.assign(last, { text: `${last.text} ${text}`, end });
    else found.push({ text, end, isLine: type === "Line" });
  }
  const codeAfter = (end: number) => /^\s*(.*)/.exec(source.slice(end))?.[1]?.slice(0, 100) ?? "";
  return found.map(({ text, end }) => ({ text, code: codeAfter(end) }));
}

const all = sources.flatMap((file) => commentsIn(file).map((comment, at) => ({ file, at, ...comment })));
const rank = ({ file, at }: { file: string; at: number }) =>
  createHash("sha256").update(`${commit} ${file} ${at}`).digest("hex");
const drawn = all
  .filter(({ text }) => / /.test(text) && !/^biome-ignore|^oxlint|^@/.test(text))
  .map((comment) => ({ ...comment, rank: rank(comment) }))
  .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  .slice(0, count);
for (const { file, text, code } of drawn) console.log(`${file}\n    ${text}\n    > ${code}\n`);
