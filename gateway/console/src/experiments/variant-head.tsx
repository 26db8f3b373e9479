// Header of a variant's columns: name, change, status and actions.

import { Group, Text } from "@mantine/core";
import { RunProgress } from "../runs/run-progress.tsx";
import { Status } from "../ui/badges.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { formatValue, listParameters } from "./configs.ts";
import type { Experiment } from "./experiment-requests.ts";
import classes from "./experiments.module.css";
import { VariantActions } from "./variant-actions.tsx";
import type { Variant } from "./variant-requests.ts";

interface VariantHeadProps {
  readonly variant: Variant;
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  readonly baseline: Variant;
  /** True if a click opens the variant's comparison with the reference. */
  readonly isChoice: boolean;
}

export function VariantHead({ experiment, variants, variant, baseline, isChoice }: VariantHeadProps) {
  const { id, experimentId, title, status, progress, stopped } = variant;
  const isBaseline = id === baseline.id;
  const isPromoted = id === experiment.promotedVariantId;
  return (
    <div className={classes.variant}>
      {!isChoice ? (
        <Text inherit fw={600}>
          {title}
        </Text>
      ) : (
        <AnchorLink
          to="/experiments/$experimentId"
          params={{ experimentId }}
          search={(before: object) => ({ ...before, variant: id, skip: undefined })}
          resetScroll={false}
          inherit
          fw={600}
        >
          {title}
        </AnchorLink>
      )}
      <span className={classes.change}>{isBaseline ? "Baseline" : formatChange(variant)}</span>
      {status === "RUNNING" ? (
        <Group gap="xs">
          <RunProgress progress={progress} />
          {stopped && <Text inherit>Stopped</Text>}
        </Group>
      ) : (
        <Group gap="xs">
          <Status value={status} />
          {isPromoted && <span className={classes.promoted}>Promoted</span>}
        </Group>
      )}
      <VariantActions experiment={experiment} variants={variants} variant={variant} baseline={baseline} />
    </div>
  );
}

const charactersMax = 40;

/** Formats the first changed parameter, such as `temperature = 0`. */
function formatChange({ configPatch }: Variant): string {
  const [first] = listParameters(configPatch);
  if (first === undefined) return "No changes";
  const value = formatValue(first.value);
  return `${first.name} = ${value.length > charactersMax ? `${value.slice(0, charactersMax)}…` : value}`;
}
