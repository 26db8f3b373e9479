import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { expect, test } from "vitest";
import { painted } from "./paint.ts";

/** Creates a stream that Node treats as a terminal if `isTTY`. */
function stream(isTTY: boolean, env: Record<string, string>) {
  const getColorDepth = () => WriteStream.prototype.getColorDepth.call({} as WriteStream, env);
  return Object.assign(new PassThrough(), { isTTY, getColorDepth });
}

const text = 'ok       database\nfailure  schemas\nwarning  ok\n{"status":"ok"}';

test("outcomes have colors on a terminal; not in a pipe, with NO_COLOR or on a dumb terminal", () => {
  const xterm = { TERM: "xterm-256color" };
  expect(painted(text, stream(true, xterm))).toBe(
    '\u001b[32mok\u001b[39m       database\n\u001b[31mfailure\u001b[39m  schemas\n\u001b[33mwarning\u001b[39m  ok\n{"status":"ok"}',
  );
  expect(painted(text, stream(false, xterm))).toBe(text);
  expect(painted(text, stream(true, { ...xterm, NO_COLOR: "1" }))).toBe(text);
  expect(painted(text, stream(true, { TERM: "dumb" }))).toBe(text);
});
