import { expect, test } from "vitest";
import { unsent } from "./fault.ts";

const error = (facts: object) => Object.assign(new Error("to ada@example.com"), facts);

test.each([
  [{ code: "ETIMEDOUT" }, "TIMEOUT", false],
  [{ code: "EABORT" }, "TIMEOUT", false],
  [{ code: "ETLS", responseCode: 502 }, "TLS", false],
  [{ code: "ESOCKET", originalCode: "CERT_HAS_EXPIRED" }, "TLS", false],
  [{ code: "ESOCKET", originalCode: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "TLS", false],
  [{ code: "ESOCKET", originalCode: "ERR_TLS_CERT_ALTNAME_INVALID" }, "TLS", false],
  [{ code: "ESOCKET", originalCode: "ECONNREFUSED" }, "CONNECTION", false],
  [{ code: "EDNS" }, "CONNECTION", false],
  [{ code: "ECONNECTION" }, "CONNECTION", false],
  [{ code: "EPROTOCOL", responseCode: 554 }, "CONNECTION", false],
  [{ code: "EAUTH", responseCode: 535 }, "LOGIN", false],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 450 }, "REFUSED_FOR_NOW", false],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550 }, "REFUSED", true],
  [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 553 }, "REFUSED", false],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 451 }, "REFUSED_FOR_NOW", false],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 554 }, "REFUSED", true],
  [{}, "OTHER", false],
])("%o is %s", (facts, fault, isPermanent) => {
  const smtpCode = "responseCode" in facts ? { smtpCode: facts.responseCode } : {};
  expect(unsent(error(facts))).toEqual({ isSent: false, fault, isPermanent, ...smtpCode });
});

test("other values are OTHER, and no message is exposed", () => {
  expect(unsent("ada@example.com")).toEqual({ isSent: false, fault: "OTHER", isPermanent: false });
  expect(JSON.stringify(unsent(error({ code: "EENVELOPE" })))).not.toContain("ada");
});
