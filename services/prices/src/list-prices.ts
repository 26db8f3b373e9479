// The list prices of providers (prices.json), which `npm run prices` writes.

import { z } from "zod";
import { type NameMatch, nameForms, nameTest } from "./model-names.ts";
import { type DatedPrice, dated } from "./price-table.ts";
import written from "./prices.json" with { type: "json" };

const match: z.ZodType<NameMatch> = z.lazy(() =>
  z.union([
    z.strictObject({ equals: z.string() }),
    z.strictObject({ starts_with: z.string() }),
    z.strictObject({ ends_with: z.string() }),
    z.strictObject({ contains: z.string() }),
    z.strictObject({ regex: z.string() }),
    z.strictObject({ or: z.array(match) }),
    z.strictObject({ and: z.array(match) }),
  ]),
);

const model = z.strictObject({ id: z.string(), match, prices: z.array(z.strictObject(dated)).min(1) });

const provider = z.strictObject({
  id: z.string(),
  /** Names by which clients call the provider. */
  match: match.optional(),
  /** Names of models by which the provider is known, if it is not named. */
  models: match.optional(),
  /** True if the provider hosts models of others: its prices apply only to calls that name it. */
  isHost: z.boolean(),
  /** Other providers whose prices apply if the provider has none for a model. */
  others: z.array(z.string()),
  prices: z.array(model),
});

export const priceList = z.strictObject({
  /** Package that the prices come from, and the day on which its newest version was read. */
  source: z.strictObject({ package: z.string(), version: z.string(), readAt: z.iso.date() }),
  providers: z.array(provider),
});

export type PriceList = z.infer<typeof priceList>;

interface Entry {
  readonly isNamed: (name: string) => boolean;
  readonly prices: readonly DatedPrice[];
}

interface ListedProvider {
  readonly id: string;
  readonly isCalled: (name: string) => boolean;
  readonly isMaker: (model: string) => boolean;
  readonly isHost: boolean;
  readonly others: readonly string[];
  readonly entries: readonly Entry[];
}

const never = () => false;
const listed: readonly ListedProvider[] = priceList
  .parse(written)
  .providers.map(({ id, match, models, isHost, prices, ...provider }) => ({
    id,
    isHost,
    isCalled: match === undefined ? never : nameTest(match),
    isMaker: models === undefined ? never : nameTest(models),
    others: provider.others,
    entries: prices.map(({ match, prices }) => ({ isNamed: nameTest(match), prices })),
  }));

/** Finds a model's prices, of the named provider if there is one, else of the model's maker. */
export function findListPrices(modelId: string, providerName?: string): readonly DatedPrice[] | undefined {
  const forms = nameForms(modelId);
  const named = providerName === undefined ? undefined : findProvider(providerName);
  const prefix = modelId.includes("/") ? findProvider(modelId.slice(0, modelId.indexOf("/"))) : undefined;
  const makers = forms.flatMap((form) => listed.filter(({ isMaker }) => isMaker(form)));
  const first = [named, prefix].filter((provider) => provider !== undefined);
  const related = first.flatMap((provider) => listed.filter(({ id }) => provider.others.includes(id)));
  const rest = listed.filter(({ isHost }) => !isHost);
  for (const { entries } of new Set([...first, ...related, ...makers, ...rest]))
    for (const form of forms) {
      const entry = entries.find(({ isNamed }) => isNamed(form));
      if (entry !== undefined) return entry.prices;
    }
  return undefined;
}

/** Finds a provider by its id, or by the name that a client uses: `aws.bedrock`, `gcp.vertex_ai`, `xai.chat`. */
function findProvider(name: string): ListedProvider | undefined {
  const lower = name.trim().toLowerCase();
  const id = lower.replaceAll("_", "-");
  const [family = ""] = id.split(".");
  const spelled = family === "xai" ? "x-ai" : family;
  return (
    listed.find((provider) => provider.id === id) ??
    listed.find((provider) => provider.id === spelled) ??
    listed.find(({ isCalled }) => isCalled(lower))
  );
}
