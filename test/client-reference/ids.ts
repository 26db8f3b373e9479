// Ids from earlier answers, by type of resource.

export class Ids {
  readonly #byNoun = new Map<string, string[]>();
  readonly #excluded: ReadonlySet<string>;

  /** Ids of `excluded` are never used: deleting the current key would end the test. */
  constructor(excluded: readonly string[]) {
    this.#excluded = new Set(excluded);
  }

  /** Learns every id in an answer to a request to `path`. */
  learn(path: string, value: unknown, field = nounOfAnswer(path)): void {
    if (Array.isArray(value)) for (const item of value) this.learn(path, item, field);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (key === "id") this.#add(field, item);
      else if (/Ids?$/.test(key)) for (const id of [item].flat()) this.#addReference(path, getNoun(key), id);
      else if (typeof item === "object") this.learn(path, item, isWrapper(key) ? field : singular(key));
    }
  }

  /** Returns the ids for a field or a path parameter, by the resource type in its name. */
  of(field: string, path: string): readonly string[] {
    if (field === "id") {
      const noun = nounOfPath(path);
      // Prefer ids of resources with known parts if the request refers to a part.
      const ofParts = /\{id\}.*(\{|\/(?:comparison|task-set)$)/.test(path)
        ? this.#byNoun.get(`${getCollection(path)} by ${noun}`)
        : undefined;
      return ofParts ?? this.#byNoun.get(noun) ?? [];
    }
    const noun = field === "ids" ? nounOfAnswer(path) : getNoun(field);
    return this.#byNoun.get(aliases[noun] ?? noun) ?? [];
  }

  all(): string[] {
    return [...this.#byNoun.values()].flat().filter((id) => /^[0-9a-f-]{36}$/.test(id));
  }

  #addReference(path: string, noun: string, id: unknown): void {
    this.#add(noun, id);
    this.#add(`${getCollection(path)} by ${noun}`, id);
  }

  #add(noun: string, id: unknown): void {
    if (typeof id !== "string" || this.#excluded.has(id)) return;
    const ids = this.#byNoun.get(noun) ?? [];
    // Keep the newest ids: older resources may be deleted meanwhile.
    if (!ids.includes(id)) this.#byNoun.set(noun, [id, ...ids].slice(0, 20));
  }
}

const aliases: Readonly<Record<string, string>> = {
  a: "run",
  annotator: "user",
  assignee: "user",
  b: "run",
  baseline: "variant",
  defaultConnection: "modelConnection",
  eval: "definition",
  evalDefinition: "definition",
  queue: "humanAnnotationQueue",
  queueItem: "humanAnnotationQueueItem",
  sourceDocument: "document",
};

const isWrapper = (key: string) => ["data", "success"].includes(key);

function getNoun(field: string): string {
  return field.replace(/Ids?$/, "");
}

/** Returns `topic` for `/v0/topics/{id}/archive`, `traces by test` for `/v0/traces/by-test/{id}`. */
function nounOfPath(path: string): string {
  const segment = /\/([^/]+)\/\{id\}/.exec(unambiguous(path))?.[1] ?? "";
  return segment.startsWith("by-") ? `${getCollection(path)} by ${segment.slice(3)}` : nounOfSegment(segment);
}

/** Returns `traces` for `/v0/traces/{id}/steps`. */
function getCollection(path: string): string {
  return path.split("/")[2] ?? "";
}

/** Returns `tag` for `/v0/tasks/{id}/tags`: the last segment that is not a parameter. */
function nounOfAnswer(path: string): string {
  return nounOfSegment(
    unambiguous(path)
      .split("/")
      .findLast((part) => !part.startsWith("{") && part !== "bulk") ?? "",
  );
}

/** Renames document tests, which are not tests of tasks. */
function unambiguous(path: string): string {
  return path.replace("/documents/tests", "/document-tests");
}

function nounOfSegment(segment: string): string {
  return singular(segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/s$/, "");
}
