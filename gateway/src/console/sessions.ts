// Console sessions: they begin with a sign-in, are renewed by use, and end by sign-out, age, or the loss of their API
// key or membership.

import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Seal } from "./seal.ts";
import { clearSession, idleMs, readSession, type Session, type SessionOwner, writeSession } from "./session-cookie.ts";

/** Minimum interval between renewals. */
const renewalMs = 10 * 60_000;
/** Recently signed-out sessions remembered. */
const endedMax = 20_000;

export class Sessions {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #issuer: string | undefined;
  /** Signed-out sessions: this process rejects copies of their cookies, and renewals in flight at sign-out. */
  readonly #ended = new LRUCache<string, true>({ ...entriesAtMost(endedMax), ttl: idleMs });

  /** People sign in at `issuer`; sessions of another issuer are invalid. */
  constructor(seal: Seal, { clock, newId }: { readonly clock: Clock; readonly newId: NewId }, issuer?: string) {
    this.#issuer = issuer;
    this.#seal = seal;
    this.#clock = clock;
    this.#newId = newId;
  }

  of(request: FastifyRequest): Session | undefined {
    const session = readSession(this.#seal, request, this.#nowMs());
    if (session === undefined || this.#ended.has(session.id)) return undefined;
    return "person" in session && session.person.issuer !== this.#issuer ? undefined : session;
  }

  /** Begins a session with a new ID and ends the browser's previous one. */
  begin(reply: FastifyReply, owner: SessionOwner): Session {
    const before = this.of(reply.request);
    if (before !== undefined) this.#ended.set(before.id, true);
    const nowMs = this.#nowMs();
    const session = { ...owner, id: this.#newId(), signedInMs: nowMs, renewedMs: nowMs };
    writeSession(this.#seal, reply, session, nowMs);
    return session;
  }

  /** Extends the session after use. */
  renew(reply: FastifyReply, session: Session): Session {
    const nowMs = this.#nowMs();
    if (nowMs - session.renewedMs < renewalMs) return session;
    const renewed = { ...session, renewedMs: nowMs };
    writeSession(this.#seal, reply, renewed, nowMs);
    return renewed;
  }

  /** Moves the sign-in to another application. */
  switchTo(reply: FastifyReply, session: Session, owner: SessionOwner): Session {
    const { id, signedInMs } = session;
    const nowMs = this.#nowMs();
    const switched = { ...owner, id, signedInMs, renewedMs: nowMs };
    writeSession(this.#seal, reply, switched, nowMs);
    return switched;
  }

  end(reply: FastifyReply): void {
    const session = this.of(reply.request);
    if (session !== undefined) this.#ended.set(session.id, true);
    clearSession(reply);
  }

  #nowMs(): number {
    return this.#clock.now().getTime();
  }
}
