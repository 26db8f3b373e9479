import { Code, ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePosition, resumeToken } from "./resume-token.ts";

const applicationId = newId();
const positions = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

test("a token encodes its position, and is as short as a name", () => {
  fc.assert(
    fc.property(positions, (position) => {
      const token = resumeToken(applicationId, position);
      expect(decodePosition(applicationId, token)).toBe(position);
      expect(token).toMatch(/^[\w-]{23}$/);
    }),
  );
});

const refused = (token: string, application = applicationId) => {
  try {
    decodePosition(application, token);
    return undefined;
  } catch (error) {
    return error instanceof ConnectError ? error.code : error;
  }
};

test("another application's token is invalid", () => {
  expect(refused(resumeToken(newId(), 5n))).toBe(Code.InvalidArgument);
});

test("changing any character makes a token invalid", () => {
  const token = resumeToken(applicationId, 1_234n);
  const changed = [...token].map(
    (character, at) => token.slice(0, at) + (character === "A" ? "B" : "A") + token.slice(at + 1),
  );
  // The last character contains unused bits; changing only these must be refused, too.
  expect(changed.map((token) => refused(token))).toEqual(changed.map(() => Code.InvalidArgument));
});

test("any other text is invalid", () => {
  fc.assert(fc.property(fc.string(), (text) => void expect(refused(text)).toBe(Code.InvalidArgument)));
});
