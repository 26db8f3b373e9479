// `npm run release [-- --out DIR] [--draft]`: writes this version's artifacts. README.md describes the release process.

import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { getExitCode, readCommandLine, UsageError } from "@ems/deploy/command-line";
import { writeRelease } from "./artefacts.ts";
import { assertRecentPrices, pricesReadAt } from "./prices/price-age.ts";
import { readSource } from "./provenance.ts";
import { productVersion, releaseNotes, root } from "./versions.ts";

const help = `
release     writes the artefacts of this version: chart, image, bill of materials, schema, notes, checksums, provenance

  --home URL        where the product is published: the chart's home page
  --out DIR         an empty directory, or one that is made; default dist/release
  --draft           of what is not committed, or has no heading in CHANGELOG.md yet
  --without-image   leaves out the image and its bill of materials, which take a minute`;

try {
  const { values } = readCommandLine(help, {
    options: {
      home: { type: "string" },
      out: { type: "string" },
      draft: { type: "boolean", default: false },
      "without-image": { type: "boolean", default: false },
    },
  });
  const directory = values.out === undefined ? join(root, "dist/release") : resolve(values.out);
  const [version, source] = [await productVersion(), await readSource()];
  if (!values.draft && !source.isClean)
    throw new Error("The working tree has uncommitted changes: commit them, or set --draft.");
  if (!values.draft && (await releaseNotes(version)) === undefined)
    throw new Error(`CHANGELOG.md has no heading of ${version} with a date: add it, or set --draft.`);
  assertRecentPrices(await pricesReadAt(), new Date());
  const there = await readdir(directory).catch(() => []);
  if (there.length > 0) throw new UsageError(`${directory} is not empty`);
  if (values.home !== undefined && !/^https?:/.test(URL.parse(values.home)?.protocol ?? ""))
    throw new UsageError(`--home is not a URL of http or https: ${values.home}`);
  const what = { home: values.home, withImage: !values["without-image"] };
  await writeRelease({ version, source, directory, ...what, print: (line) => process.stdout.write(`${line}\n`) });
} catch (error) {
  process.stderr.write(`Cannot make a release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(getExitCode(error));
}
