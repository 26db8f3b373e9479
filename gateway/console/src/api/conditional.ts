// Updates a stored resource only if it is unchanged (`If-Match`); otherwise reports a conflict.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, isMismatch } from "./errors.ts";
import { isRefreshedBy, toQueryKey, useSignal } from "./query.ts";
import type { ApiRequest, ConditionalRequest } from "./request.ts";
import { receive, replace, type SendOptions, type Version } from "./send.ts";

/** Stored version together with the request that reads it. */
export interface Loaded<Body> extends Version<Body> {
  readonly request: ApiRequest<Body>;
}

/** Stored version on which a draft is based: its ETag and its content, as form fields. */
export interface Base<Draft> {
  readonly etag: string | undefined;
  readonly draft: Draft;
}

export interface Attempt<Draft> {
  readonly mine: Draft;
  readonly base: Base<Draft>;
}

/** Thrown if another person has meanwhile changed a field that the draft would overwrite, or deleted the resource. */
export class EditConflict<Draft> extends Error {
  override readonly name = "EditConflict";
  readonly attempt: Attempt<Draft>;
  /** Version that the other person stored; undefined if the resource was deleted. */
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
  /** Version that the page shows. Undefined while it is loading. */
  readonly loaded: Loaded<Body> | undefined;
  readonly toDraft: (body: Body) => Draft;
  /** Returns true if saving `mine` would undo a change that another person made from `base` to `theirs`. */
  readonly isClash: (base: Draft, mine: Draft, theirs: Draft) => boolean;
  readonly makeRequest: (draft: Draft, body: Body) => ConditionalRequest<Data>;
  readonly refreshes: readonly string[];
  readonly onSaved: (saved: Version<Data>, draft: Draft) => void;
  readonly onError: (error: Error) => void;
  /** True for a form: closing it cancels its request. */
  readonly isForm?: boolean;
}

/** Maximum resends after other people changed other fields. After that, the change fails with status 412. */
const resendsMax = 3;

/** Sends a PUT or PATCH for one resource with `If-Match`. The console has no other function that does this. */
export function useConditionalChange<Body, Draft, Data>(options: ConditionalOptions<Body, Draft, Data>) {
  const client = useQueryClient();
  const newSignal = useSignal();
  return useMutation({
    mutationFn: (attempt: Attempt<Draft>) =>
      save(client, options, attempt, options.isForm ? { signal: newSignal() } : {}),
    onSuccess: async (saved, { mine }) => {
      await client.invalidateQueries({ predicate: isRefreshedBy(options.refreshes) });
      options.onSaved(saved, mine);
    },
    onError: options.onError,
  });
}

async function save<Body, Draft, Data>(
  client: QueryClient,
  { loaded, toDraft, isClash, makeRequest }: ConditionalOptions<Body, Draft, Data>,
  attempt: Attempt<Draft>,
  sending: SendOptions,
): Promise<Version<Data>> {
  if (loaded === undefined) throw new Error("No version is loaded that could be changed");
  const { mine, base } = attempt;
  const { request } = loaded;
  let { etag } = base;
  // Without an ETag the server cannot detect a conflict, so compare with the stored version before sending.
  if (etag === undefined) await refuseClash();
  for (let resends = 0; ; resends++) {
    try {
      return await replace(makeRequest(mine, loaded.body), etag, sending);
    } catch (error) {
      if (!isMismatch(error) || resends === resendsMax) throw error;
      const stored = await refuseClash();
      if (stored === undefined) throw new EditConflict(attempt, undefined);
      // The other person changed other fields than the draft, so resending keeps their changes.
      etag = stored.etag;
    }
  }

  async function refuseClash() {
    const stored = await readStored(client, request);
    if (stored === undefined) return undefined;
    const draft = toDraft(stored.body);
    if (!isClash(base.draft, mine, draft)) return stored;
    throw new EditConflict(attempt, { etag: stored.etag, draft, changedAt: changedAt(stored.body) });
  }
}

/** Reads the stored version. Bypasses the cache, which may have the outdated version. Undefined if it was deleted. */
async function readStored<Body>(client: QueryClient, request: ApiRequest<Body>): Promise<Version<Body> | undefined> {
  try {
    const stored = await receive(request);
    client.setQueryData(toQueryKey(request), stored);
    return stored;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns `modifiedAt` of the body, or of the resource in the body's envelope. */
function changedAt(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if ("modifiedAt" in body) return typeof body.modifiedAt === "string" ? body.modifiedAt : undefined;
  return Object.values(body)
    .filter((value) => typeof value === "object" && !Array.isArray(value))
    .map(changedAt)
    .find((time) => time !== undefined);
}
