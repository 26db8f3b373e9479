// Only kit's readers parse text and files of clients: they account for the cost of parsing.

import { expect, test } from "vitest";
import { getImports, product, read } from "./sources.ts";

const isScope = (file: string) => /^(services|gateway)\/(?!console\/)/.test(file);
const isReader = (file: string) => file.startsWith("services/kit/src/readers/");
const outside = product.filter((file) => isScope(file) && !isReader(file));

const parsers =
  /^(chardet|csv-parse|papaparse|yaml|js-yaml|fflate|jszip|yauzl|unzipper|read-excel-file|exceljs|xlsx|mammoth|unpdf|pdfjs-dist|pdf-parse|saxen?|saxes|sax|fast-xml-parser|@xmldom\/xmldom|xml2js|turndown|cheerio|parse5|htmlparser2)(\/|$)/;

/** Files that may import parsers, since their text is not a client's. */
const mayImport: Readonly<Record<string, string>> = {
  "services/kit/src/rpc/platform/document.ts": "an operator's file of platform callers",
};

/** Files that may call JSON.parse or parseJson, since their text is already counted or not a client's. */
const mayParse: Readonly<Record<string, string>> = {
  "gateway/src/rest/body.ts": "the body, whose values and depth the gateway has counted",
  "gateway/src/console/seal.ts": "a session that the gateway sealed",
  "gateway/src/openapi/document.ts": "the product's own document",
  "gateway/src/openapi/event-schemas.ts": "the product's own document",
  "gateway/src/openapi/examples.ts": "the product's own examples",
  "gateway/src/openapi/message-rules.ts": "rules of the proto files",
  "services/traces/src/archive/archived-traces.ts": "rows of the archive",
  "services/archive/src/column-type.ts": "a row of the archive",
  "services/catalog/src/tasks/read-import.ts": "rows that a reader has counted in a thread",
  "services/kit/src/db/cursor.ts": "a cursor, whose length is limited",
  "services/kit/src/json/exact-number.ts": "parseJson itself",
  "services/kit/src/events/content.ts": "an event of the outbox",
  "services/notifications/src/deliveries/get-delivery.ts": "an event of the outbox",
  "services/prices/src/price-table.ts": "an operator's price table",
  "services/notifications/src/deliveries/worker/signed-request.ts": "headers that the service sealed",
  "services/notifications/src/webhooks/secrets.ts": "headers that the service sealed",
  "services/notifications/src/webhooks/verify.ts": "a receiver's answer, whose size is limited",
};

test("libraries that parse files and texts are imported by kit's readers alone", () => {
  const wrong = outside
    .filter((file) => !Object.hasOwn(mayImport, file))
    .flatMap((file) =>
      getImports(file)
        .filter((name) => parsers.test(name))
        .map((name) => `${file} imports ${name}`),
    );
  expect(wrong).toEqual([]);
  const readers = product.filter(isReader).flatMap(getImports);
  for (const library of [
    "chardet",
    "csv-parse",
    "fflate",
    "htmlparser2",
    "mammoth",
    "read-excel-file/universal",
    "unpdf",
    "yaml",
  ])
    expect(readers).toContain(library);
});

test("JSON is parsed by kit's readers, and elsewhere only where its cost is known", () => {
  const parsing = outside.filter((file) => /\bJSON\.parse\(|\bparseJson\(|\.json\(\)/.test(read(file)));
  // Exceptions that are no longer needed must be removed.
  expect(parsing.toSorted()).toEqual(Object.keys(mayParse).toSorted());
});

test("free values become JSON, and JSON free values, in one place that saves the conversion within a process", () => {
  const converting = product.filter(
    (file) => isScope(file) && /\b(to|from)Json\((List)?ValueSchema\b/.test(read(file)),
  );
  expect(converting).toEqual(["services/kit/src/json/free-value.ts"]);
});
