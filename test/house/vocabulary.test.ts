// Names use standard terms, and no private words in their place.

import { basename } from "node:path";
import { expect, test } from "vitest";
import { files, read, sources } from "./sources.ts";

/** Words that are too vague for names, each with its replacement. */
const table = `
  again = retry, replay, repeat          announceend = sendGoaway              ask = call, request, query
  asked = requests, requested            cut = split, truncate                 hi0 = bounds
  k0 = group, key                        lo0 = bounds                          n0 = count
  postoffice = mailServer               shares = TenantConcurrencyLimiter
  trust = tlsContext
  asking = pending, requests             buried = deadLetters                   bury = deadLetter
  chance = random                        ending = cancellation                  given = request, options, overrides
  hasgivenway = isRetryable              hull = bounds                          kept = stored, archived, unsent
  known = cached, registered             lanes = scheduler, clients             neveragain = notReplayable
  once = runIdempotent                   outlivelostconnections = surviveConnectionLoss
  owed = due                             paced = Throttle                       possess = unauthenticated
  refusepowerfulrole = assertUnprivilegedRole                                   rig = harness
  said = output, text                    settleduntil = ackedUpTo               shownwith = loadReferences
  strangers = unauthenticated            take = handle, claim                   takein = handle
  taken = handled                        taker = EventHandler                   tell = report, print, record
  tellparent = reportListening           tile = bucket                          told = reported, recorded
  turns = TenantConcurrencyLimiter       untilreachable = waitForDatabase       verdict = nextState
  wanted = requested, expected           way = path, route                      waytodatabase = resolveDatabase
  whynot = notResentReason               world = referenceModel
`;
const instead = new Map(
  [...table.matchAll(/(\w+) = (\w+(?:, \w+)*)/g)].map(([, word = "", names = ""]) => [word, names]),
);

const comment = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g;
const pattern = /(?<=[(,=:[!&|?]\s*)\/(?![/*])(?:\\.|[^/\\\n])+\//g;
const string = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
const template = /`(?:\\.|\$\{(?:[^{}`]|`[^`]*`)*\}|[^`\\])*`/g;
const inserted = /(?<=\$\{)[^}]*/g;
const imported = /^import[^;]*;/gm;
/** Matches text of a page between tags. */
const pageText = /(?<=>)[^<>{}]+(?=[<{])/g;
/** Matches `const way`, `{ way }`, `way(…)`, `way: string`; not `result.way` or an option such as `{ once: true }`. */
const name = /(?<![.\w$-])([A-Za-z]\w*)(?!\w|: true\b)/g;

function privateWords(file: string): string[] {
  const text = read(file);
  const libraries = [...text.matchAll(imported)]
    .filter(([line]) => !/ from "(\.|@ems\/(?!proto))/.test(line))
    .join(" ");
  const code = text
    .replaceAll(imported, "")
    .replaceAll(comment, "")
    .replaceAll(file.endsWith(".tsx") ? pageText : /(?!)/g, "")
    .replaceAll(template, (literal) => `(${(literal.match(inserted) ?? []).join()})`)
    .replaceAll(string, "")
    .replaceAll(pattern, "");
  const names = [...code.matchAll(name)].map(([, found = ""]) => found);
  const isPrivate = (found: string) =>
    instead.has(found.toLowerCase()) && !new RegExp(`\\b${found}\\b`).test(libraries);
  return [...new Set(names)].filter(isPrivate);
}

/** True for a field of the API's answers: clients depend on its name. */
const isField = (file: string, word: string) =>
  word === "verdict" &&
  [
    /^test\/(clients|loop)\//,
    /^services\/evaluation\/src\/judges\/(recall\/results|judges\.test)\.ts$/,
    /^services\/experiments\/src\/\w+\/(comparison|human-annotations|annotation-queues|calibration|erasures)\//,
    /^services\/experiments\/(test\/archived-applications|src\/lifecycle\/archive\/operations\.clickhouse\.nightly\.test)\.ts$/,
    /^(deploy\/cli\/commands\/compare\.ts$|test\/api\/(runs|variants|human-annotations|calibration)\.test\.ts$)/,
    /^test\/(oracle\/reference-model|harness\/changes)\.ts$/,
    /^deploy\/dev\/seed\/judgements\.ts$/,
    /^gateway\/console\/src\/((tests\/evaluation-findings|comparisons\/differences)\.test\.ts$|reviews\/)/,
    /^test\/console\/((hostile-text|reviews)\.test|sample-pages)\.ts$/,
  ].some((files) => files.test(file));

test("no identifier is a private word", () => {
  const wrong = sources.flatMap((file) =>
    privateWords(file)
      .filter((word) => !isField(file, word))
      .map((word) => `${file}: ${word} (say ${instead.get(word.toLowerCase())})`),
  );
  expect(wrong).toEqual([]);
});

test("no file is named by a private word", () => {
  const words = (file: string) => basename(file).split(".")[0]?.split("-") ?? [];
  expect(files.filter((file) => words(file).some((word) => instead.has(word) && word !== "once"))).toEqual([]);
});
