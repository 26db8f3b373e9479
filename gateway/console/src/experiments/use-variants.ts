import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { read } from "../api/query.ts";
import type { Comparison } from "../comparisons/comparison-requests.ts";
import { chooseDisplayed, chosenVariant, findReference, isMeasured } from "./displayed-variants.ts";
import type { VariantSearch } from "./experiment-search.ts";
import { allVariants, compareVariant, type Variant } from "./variant-requests.ts";

/** Polling interval while a variant runs. */
const refreshMs = 3_000;

/** Loads an experiment's variants, and the comparison of each displayed variant with the reference. */
export function useVariants(experimentId: string, search: VariantSearch) {
  const client = useQueryClient();
  const list = useQuery({
    ...read(allVariants(experimentId)),
    refetchInterval: ({ state }) =>
      state.data?.body.data.some(({ status }) => status === "RUNNING") ? refreshMs : false,
  });
  const variants = list.data?.data ?? [];
  const baseline = variants.find(({ parentId }) => parentId === null);
  const reference = findReference(variants, search.beside);
  const displayed = chooseDisplayed(variants, reference, search.shown);
  const chosen = chosenVariant(variants, reference, search.variant);
  const named = chosen === undefined || displayed.includes(chosen) ? displayed : [...displayed, chosen];
  const measured = reference === undefined ? [] : [reference, ...named].filter(isMeasured);
  const comparedWith = {
    baseline: reference === baseline ? undefined : reference?.id,
    detect: search.detect === undefined ? undefined : Number(search.detect) / 100,
  };
  const requests = measured.map((variant) => compareVariant(variant, comparedWith));
  const hasReference = reference !== undefined && measured[0] === reference;
  const answers = useQueries({ queries: requests.map((request) => ({ ...read(request), enabled: hasReference })) });
  // This text changes with each finished test. The comparisons are then outdated and reloaded.
  const ended = variants.map(({ status, progress }) => `${status} ${progress?.completed}`).join();
  const lastEnded = useRef(ended);
  useEffect(() => {
    if (lastEnded.current === ended) return;
    lastEnded.current = ended;
    for (const path of ["/v0/experiments/{id}/comparison", "/v0/experiments/{id}"])
      void client.invalidateQueries({ queryKey: [path] });
  }, [ended, client]);

  /** Returns a variant's comparison with the reference; null if there is none, undefined while loading. */
  const getComparison = ({ id }: Variant): Comparison | null | undefined => {
    const at = hasReference ? measured.findIndex((variant) => variant.id === id) : -1;
    if (at < 0) return null;
    return answers[at]?.error ? null : answers[at]?.data?.data;
  };
  return {
    list,
    variants,
    baseline,
    reference,
    displayed,
    chosen,
    getComparison,
    requests: hasReference ? requests : [],
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}

export type Variants = ReturnType<typeof useVariants>;
