import { zstdDecompressSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ExportedTestSchema } from "@ems/proto/experiments/v1/test_service";
import { ExportedStepSchema } from "@ems/proto/experiments/v1/trace_service";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { ParquetFile, toDecimal } from "./parquet.ts";

const read = (bytes: Uint8Array) => {
  const file = new Uint8Array(bytes).buffer;
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };
  return Promise.all([parquetReadObjects({ file, compressors }), parquetMetadata(file)]);
};

test("another library reads the rows with typed columns", async () => {
  const file = new ParquetFile(ExportedStepSchema);
  const at = new Date("2026-01-02T03:04:05.678Z");
  const step = {
    traceId: "t1",
    traceTimestamp: timestampFromDate(at),
    input: "é\u0000\n😀",
    promptTokens: 9_007_199_254_740_993n,
    costAmount: 0.000_000_123,
  };
  const bytes = file.add([create(ExportedStepSchema, step), create(ExportedStepSchema, { traceId: "t2", output: "" })]);
  const [rows, { schema, num_rows: count }] = await read(Buffer.concat([bytes, file.finish()]));
  expect(count).toBe(2n);
  expect(rows).toMatchObject([
    { ...step, traceTimestamp: at, output: null, costAmount: 0.000_000_123, id: null },
    { traceId: "t2", traceTimestamp: null, output: "", promptTokens: null, costAmount: null },
  ]);
  expect(Object.fromEntries(schema.map(({ name, logical_type: type }) => [name, type]))).toMatchObject({
    traceTimestamp: { type: "TIMESTAMP", isAdjustedToUTC: true },
    costAmount: { type: "DECIMAL", precision: 38, scale: 15 },
  });
});

test("a long file has several groups of rows, and a file without rows has columns", async () => {
  const file = new ParquetFile(ExportedTestSchema);
  const pieces = Array.from({ length: 30 }, (_, page) =>
    file.add(
      Array.from({ length: 400 }, (_, row) =>
        create(ExportedTestSchema, { id: `${page}-${row}`, runType: 1, score: 0.5, evals: "x".repeat(200) }),
      ),
    ),
  );
  const [rows, metadata] = await read(Buffer.concat([...pieces, file.finish()]));
  expect(rows).toHaveLength(12_000);
  expect(rows[11_999]).toMatchObject({ id: "29-399", runType: "MANUAL", score: 0.5, outcome: null });
  expect(metadata.row_groups.length).toBeGreaterThan(2);
  expect(pieces.filter(({ length }) => length > 0).length).toBeGreaterThan(2);

  const [none, { schema }] = await read(new ParquetFile(ExportedTestSchema).finish());
  expect(none).toEqual([]);
  expect(schema.map(({ name }) => name)).toContain("errorCause");
});

test.each([
  [1.25, 1_250_000_000_000_000n],
  [-0.1, -100_000_000_000_000n],
  [1e-7, 100_000_000n],
  [1.5e-16, 0n],
  [1e21, 10n ** 36n],
  [0, 0n],
  [Number.NaN, null],
])("%d is the decimal %s", (value, decimal) => {
  expect(toDecimal(value, 15)).toBe(decimal);
});
