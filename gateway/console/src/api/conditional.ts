// Changes of one stored version. A change that another person's change would undo, or that would undo theirs, is a conflict.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, isMismatch } from "./errors.ts";
import { isRefreshedBy, keyOf } from "./query.ts";
import type { ApiRequest, ConditionalRequest } from "./request.ts";
import { receive, replace, type Version } from "./send.ts";

/** A version, with the request that reads it. */
export interface Loaded<Body> extends Version<Body> {
  readonly request: ApiRequest<Body>;
}

/** The version on which a draft is based, as its form shows it. */
export interface Base<Draft> {
  readonly etag: string | undefined;
  readonly draft: Draft;
}

export interface Attempt<Draft> {
  readonly mine: Draft;
  readonly base: Base<Draft>;
}

/** The stored version differs from the base of a draft, in something that the draft has. */
export class EditConflict<Draft> extends Error {
  override readonly name = "EditConflict";
  readonly attempt: Attempt<Draft>;
  /** Undefined if nothing is stored any more. */
  readonly theirs: (Base<Draft> & { readonly changedAt: string | undefined }) | undefined;

  constructor(attempt: Attempt<Draft>, theirs: EditConflict<Draft>["theirs"]) {
    super(
      theirs === undefined
        ? "It was deleted while you edited it. Your changes are still in the form."
        : "It was changed while you edited it. Nothing was saved; save again to compare both versions.",
    );
    this.attempt = attempt;
    this.theirs = theirs;
  }
}

interface ConditionalOptions<Body, Draft, Data> {
  /** Undefined while there is nothing to change. */
  readonly loaded: Loaded<Body> | undefined;
  readonly draftOf: (body: Body) => Draft;
  /** Whether saving `mine` would undo what changed from `base` to `theirs`. */
  readonly isClash: (base: Draft, mine: Draft, theirs: Draft) => boolean;
  readonly makeRequest: (draft: Draft, body: Body) => ConditionalRequest<Data>;
  readonly refreshes: readonly string[];
  readonly onSaved: (saved: Version<Data>, draft: Draft) => void;
  readonly onError: (error: Error) => void;
}

/** Versions that may pass by while a change is sent again, before it is a conflict that only a person can end. */
const resendsMax = 3;

/** The only way to send a PUT or PATCH of one resource. */
export function useConditionalChange<Body, Draft, Data>(options: ConditionalOptions<Body, Draft, Data>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (attempt: Attempt<Draft>) => save(client, options, attempt),
    onSuccess: async (saved, { mine }) => {
      await client.invalidateQueries({ predicate: isRefreshedBy(options.refreshes) });
      options.onSaved(saved, mine);
    },
    onError: options.onError,
  });
}

async function save<Body, Draft, Data>(
  client: QueryClient,
  { loaded, draftOf, isClash, makeRequest }: ConditionalOptions<Body, Draft, Data>,
  attempt: Attempt<Draft>,
): Promise<Version<Data>> {
  if (loaded === undefined) throw new Error("There is no version to change.");
  const { mine, base } = attempt;
  const { request } = loaded;
  let { etag } = base;
  // What has no version is compared before it is sent.
  if (etag === undefined) await refuseClash();
  for (let resends = 0; ; resends++) {
    try {
      return await replace(makeRequest(mine, loaded.body), etag);
    } catch (error) {
      if (!isMismatch(error) || resends === resendsMax) throw error;
      const stored = await refuseClash();
      if (stored === undefined) throw new EditConflict(attempt, undefined);
      // What others changed is not in the draft: it stays as they left it.
      etag = stored.etag;
    }
  }

  async function refuseClash() {
    const stored = await readStored(client, request);
    if (stored === undefined) return undefined;
    const draft = draftOf(stored.body);
    if (!isClash(base.draft, mine, draft)) return stored;
    throw new EditConflict(attempt, { etag: stored.etag, draft, changedAt: changedAt(stored.body) });
  }
}

/** Past the cache, which may hold or wait for the version that was refused. Undefined if it is gone. */
async function readStored<Body>(client: QueryClient, request: ApiRequest<Body>): Promise<Version<Body> | undefined> {
  try {
    const stored = await receive(request);
    client.setQueryData(keyOf(request), stored);
    return stored;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** The time of the last change, which most resources have, alone or in an envelope. */
function changedAt(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if ("modifiedAt" in body) return typeof body.modifiedAt === "string" ? body.modifiedAt : undefined;
  return Object.values(body)
    .filter((value) => typeof value === "object" && !Array.isArray(value))
    .map(changedAt)
    .find((time) => time !== undefined);
}
