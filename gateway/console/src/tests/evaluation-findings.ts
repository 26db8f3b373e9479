// Reads a judge's findings from `results`, whose shape depends on the definition's type.

type Json = Readonly<Record<string, unknown>>;

export interface Findings {
  /** Explanation by the judge, in Markdown. */
  readonly reasoning: string;
  /** Quoted passages of the answer, each with its claim if the judge gives one. */
  readonly quotes: readonly { readonly claim?: string; readonly quote: string }[];
  /** Grades and part scores, each on its own scale. */
  readonly grades: readonly { readonly name: string; readonly score: number }[];
  /** Statements grouped by result. */
  readonly lists: readonly { readonly title: string; readonly items: readonly string[] }[];
}

const grades = ["coherence", "engagingness", "naturalness", "relevance", "clarity", "precision", "recall", "f1"];
const parts = {
  AnswerRelevancy: "Answer relevancy",
  ContextPrecision: "Context precision",
  ContextRelevancy: "Context relevancy",
  Faithfulness: "Faithfulness",
};
const classes = { TP: "As expected", FP: "Not expected", FN: "Missing in the answer" };

export function readFindings(results: Json | null | undefined): Findings {
  const found = results ?? {};
  const details = object(found.details);
  return {
    reasoning: [text(found.analysis), text(object(found.metadata).rationale), text(found.reason)]
      .filter((each) => each !== "")
      .join("\n\n"),
    quotes: different(
      [...list(details.evidence), ...list(details.sections).flatMap((section) => list(object(section).quotes))]
        .map(toQuote)
        .filter(({ quote }) => quote !== ""),
    ),
    grades: [
      ...grades.flatMap((name) => grade(capital(name), found[name])),
      ...Object.entries(parts).flatMap(([id, name]) => grade(name, object(found[id]).score)),
      ...list(details.sections).flatMap((section) => grade(text(object(section).heading), object(section).score)),
    ],
    lists: [
      ...Object.entries(classes).map(([id, title]) => ({ title, items: texts(object(found.classification)[id]) })),
      { title: "Unsupported", items: unsupported(object(object(found.Faithfulness).metadata).faithfulness) },
      { title: "Expected", items: [...toTexts(found.expected), ...texts(found.expectedList)] },
      { title: "Found", items: [...toTexts(found.got), ...texts(found.gotList)] },
      { title: "Missing", items: list(found.missing).map((each) => text(object(each).value)) },
    ].filter(({ items }) => items.length > 0),
  };
}

/** Removes duplicate quotes, because sections often quote the same passage. */
function different<Quote extends { claim?: string; quote: string }>(quotes: readonly Quote[]): Quote[] {
  return [...new Map(quotes.map((each) => [`${each.claim}\n${each.quote}`, each])).values()];
}

function toQuote(value: unknown): { claim?: string; quote: string } {
  if (typeof value === "string") return { quote: value };
  const { claim, quote } = object(value);
  return { quote: text(quote), ...(typeof claim === "string" && { claim }) };
}

function unsupported(statements: unknown): string[] {
  return list(statements)
    .map(object)
    .filter((each) => each.verdict === 0)
    .map((each) => [text(each.statement), text(each.reason)].filter((part) => part !== "").join(" — "));
}

const grade = (name: string, score: unknown) => (typeof score === "number" ? [{ name, score }] : []);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] => list(value).map(text);
const toTexts = (value: unknown): string[] => (typeof value === "string" ? [value] : []);
