import { expect, test } from "vitest";
import { contentTypeOf, isTypeSupported, mediaType } from "./media-type.ts";

const types = ["application/json", "application/x-protobuf"];

test.each([
  ["application/json", undefined, true],
  ["Application/JSON ; Charset=UTF-8", undefined, true],
  ['application/json; charset="utf8"', undefined, true],
  ["application/json; charset=latin1", undefined, false],
  ["application/x-protobuf", "GZIP", true],
  ["application/x-protobuf; charset=latin1", "identity", true],
  ["application/json", "br", false],
  ["application/json", "gzip, gzip", false],
  ["application/jsonp", undefined, false],
  ["text/plain", undefined, false],
  ["", undefined, false],
  [undefined, undefined, false],
])("%s, encoding %s: %s", (type, encoding, isSupported) => {
  const headers = {
    ...(type !== undefined && { "content-type": type }),
    ...(encoding !== undefined && { "content-encoding": encoding }),
  };
  expect(isTypeSupported(headers, types)).toBe(isSupported);
});

test("a type is without parameters and in lower case; a service gets the boundary as it came", () => {
  const of = (type: string) => [mediaType({ "content-type": type }), contentTypeOf({ "content-type": type })];
  expect(of("Text/Plain; charset=utf-8")).toEqual(["text/plain", "text/plain"]);
  expect(of("multipart/form-data; boundary=--AbC")).toEqual([
    "multipart/form-data",
    'multipart/form-data; boundary="--AbC"',
  ]);
  expect(of('Multipart/Form-Data; Boundary="a b"; charset=utf-8')).toEqual([
    "multipart/form-data",
    'multipart/form-data; boundary="a b"',
  ]);
  expect([mediaType({}), contentTypeOf({})]).toEqual([undefined, undefined]);
});
