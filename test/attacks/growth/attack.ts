// The generated attack: every text and list field of the operations, with hostile contents of growing size.

import { ExampleRequests, inOrder } from "../../client-reference/example-requests.ts";
import { Ids } from "../../client-reference/ids.ts";
import { getOperations, type Operation } from "../../client-reference/operations.ts";
import type { Request } from "../../client-reference/requests.ts";
import type { Attacked } from "../../harness/attacked-product.ts";
import { type Document, openContract } from "../../harness/contract.ts";
import type { TestTenant } from "../../harness/tenant.ts";
import { Bases } from "./bases.ts";
import { AttackClient } from "./client.ts";
import { attacksOn, sample } from "./contents.ts";
import { type Field, findFields, nameField } from "./fields.ts";
import { lineTrials, session } from "./lines.ts";
import { MessageAttacks } from "./messages.ts";
import { Meter, type Work } from "./meter.ts";
import { payloadTrials } from "./payloads.ts";
import { limits, Screening, type Trial } from "./screening.ts";

/** Bytes reserved for the rest of a request. */
const bodyBytes = 980_000;
const largeBodyBytes = 4_000_000;
const lineBytes = 14_000;
/** Background work of this CPU time is checked for growth. */
const backgroundMs = 400;
/** Kinds of text for parameters and fields whose format is checked first. */
const fewKinds = 8;
/** Kinds of content per field, chosen at random; all of them take an hour. */
const kindsUsually = Number(process.env.GROWTH_KINDS ?? 24);
/** CPU time of a plain request. */
const plainMs = 2;

export interface GrowthOptions {
  readonly seed: number;
  /** CPU time of one turn of the event loop that counts as a fault. */
  readonly holdMaxMs?: number;
}

export class GrowthAttack {
  readonly screening: Screening;
  readonly meter: Meter;
  readonly client: AttackClient;
  readonly operations: readonly Operation[];
  readonly tenant: TestTenant;
  readonly examples: ExampleRequests;
  /** Operations without any accepted request. */
  readonly refused: string[] = [];
  fields = 0;
  fieldsLeft = 0;
  /** The first operation of which fields were left, where a further run can begin. */
  firstLeft: string | undefined;
  readonly #document: Document;
  readonly #ids: Ids;
  readonly #options: GrowthOptions;
  #untilMs = Number.POSITIVE_INFINITY;
  readonly #baseUrl: string;
  readonly #grpcUrl: string;
  readonly #credentials: Readonly<Record<string, string>>;

  static async begin(product: Attacked, options: GrowthOptions): Promise<GrowthAttack> {
    const tenant = await product.tenant();
    const { document } = await openContract(product.facts.baseUrl);
    const ownKeys = (await tenant.api.get("/v0/api-keys")).body.data.map(({ id }: { id: string }) => id);
    const attack = new GrowthAttack(product, tenant, document, new Ids(ownKeys), options);
    await attack.examples.create(tenant.api, attack.operations);
    await attack.meter.waitUntilIdle();
    return attack;
  }

  private constructor(product: Attacked, tenant: TestTenant, document: Document, ids: Ids, options: GrowthOptions) {
    this.tenant = tenant;
    this.#document = document;
    this.#ids = ids;
    this.#options = options;
    this.#baseUrl = product.facts.baseUrl;
    this.#grpcUrl = product.facts.grpcUrl;
    this.#credentials = { "x-api-key": tenant.apiKey, "x-application-id": tenant.applicationId };
    this.meter = new Meter(product.process);
    this.screening = new Screening(this.meter, options.holdMaxMs);
    this.client = new AttackClient(product.facts.baseUrl, tenant);
    this.examples = new ExampleRequests(ids);
    this.operations = inOrder(getOperations(document));
  }

  /** No attack starts later than this many minutes from now. */
  endAfter(minutes: number): void {
    this.#untilMs = performance.now() + minutes * 60_000;
  }

  makeContext({ path }: Operation) {
    return { document: this.#document, ids: this.#ids, path };
  }

  /** Attacks all fields of an operation with `kindsMax` random kinds of content each. */
  async attack(operation: Operation, kindsMax = kindsUsually): Promise<void> {
    const bases = new Bases(this.client, this.examples, this.#options.seed);
    let isAccepted = false;
    let wasTried = false;
    const fields = findFields(this.#document, operation);
    for (const field of fields) {
      if (performance.now() > this.#untilMs) {
        this.fieldsLeft++;
        this.firstLeft ??= operation.name;
        continue;
      }
      this.fields++;
      wasTried = true;
      const base = await bases.find(this.makeContext(operation), field);
      isAccepted ||= base.isAccepted;
      const trials = this.#makeTrials(field, base.request, kindsMax);
      await this.#attackField(trials, this.#send(operation, base.request));
    }
    if (!isAccepted && wasTried) this.refused.push(operation.name);
  }

  /** Attacks with bodies that no schema describes. */
  async attackPayloads(): Promise<void> {
    await this.#attackAll(payloadTrials(this.client, this.#credentials));
  }

  /** Attacks with paths, queries and headers, also in a session of the console. */
  async attackLines(): Promise<void> {
    const { origin } = new URL(this.#baseUrl);
    const { apiKey, applicationId } = this.tenant;
    const signIn = await fetch(this.#baseUrl + session, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ apiKey, applicationId }),
    });
    if (!signIn.ok) throw new Error(`cannot sign in: ${signIn.status}`);
    const [cookie = ""] = (signIn.headers.get("set-cookie") ?? "").split(";");
    await this.#attackAll(lineTrials(this.client, { ...this.#credentials, origin, cookie }));
  }

  /** Attacks with binary gRPC messages. */
  async attackMessages(chosen = this.operations): Promise<void> {
    const attacks = new MessageAttacks(this.#grpcUrl, this.tenant, this.#options.seed);
    for (const operation of chosen) {
      await this.#attackAll(attacks.trials(operation, this.examples.request(operation)));
    }
  }

  async #attackAll(trials: readonly Trial[], baseMs = plainMs): Promise<void> {
    for (const trial of trials) {
      if (performance.now() > this.#untilMs) return;
      await this.screening.try(trial, baseMs);
    }
  }

  #send(operation: Operation, request: Request): Work {
    const raw = this.client.prepare(operation, request);
    return async () => (await this.client.send(raw)).status;
  }

  #makeTrials(field: Field, base: Request, kindsMax: number): Trial[] {
    const { operation, place } = field;
    const isLarge = /ingest$|\/traces$|\/logs$|\/metrics$/.test(operation.path) && operation.method === "POST";
    const seed = this.#options.seed + this.fields;
    const attacks = attacksOn(field, {
      context: this.makeContext(operation),
      seed,
      bytesMax: place === "body" ? (isLarge ? largeBodyBytes : bodyBytes) : lineBytes,
      fewKinds,
    });
    const count = Math.min(place === "body" ? kindsMax : Math.min(kindsMax, fewKinds), attacks.length);
    const chosen = count < attacks.length ? sample(attacks, count, seed) : attacks;
    return chosen.map(({ kind, sizeMax, isLimited, request }) => ({
      operation: operation.name,
      field: nameField(field),
      kind,
      sizeMax,
      isLimited,
      work: (size, salt) => this.#send(operation, request(base, size, salt)),
    }));
  }

  async #attackField(trials: readonly Trial[], base: Work): Promise<void> {
    const { meter, screening } = this;
    const baseMs = await screening.measureBase(base);
    await this.#attackAll(trials, baseMs);
    const tail = await meter.measureIdle();
    if (tail.holdMs < (this.#options.holdMaxMs ?? limits.holdMaxMs) && tail.cpuMs < backgroundMs) return;
    // The field's requests cause much background work: some are measured with it.
    const chosen = sample(trials, Math.min(2, trials.length), this.#options.seed);
    for (const trial of chosen) await screening.tryAlone(trial, baseMs);
  }
}
