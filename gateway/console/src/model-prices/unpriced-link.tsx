import { count, dollars, plural } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";

interface UnpricedLinkProps {
  readonly steps: number;
  /** Models to enter in the form, if they are known. */
  readonly models: readonly string[];
}

/** Link to the form for model prices, with the models that need a price. */
export function UnpricedLink({ steps, models }: UnpricedLinkProps) {
  return (
    <AnchorLink to="/settings/model-prices" search={toSearch(models)} inherit>
      {count(steps)} {steps === 1 ? "step" : "steps"}: set model prices
    </AnchorLink>
  );
}

/** Returns the state in the URL of the form for model prices. */
export const toSearch = (models: readonly string[]) => (models.length === 0 ? {} : { model: [...models] });

interface CostCellProps extends UnpricedLinkProps {
  readonly cost: number | null | undefined;
}

/** Cost in a table. If steps have no price, it is a minimum and links to the form for model prices. */
export function CostCell({ cost, steps, models }: CostCellProps) {
  if (steps === 0) return dollars(cost);
  const isKnown = cost != null && cost > 0;
  return (
    <AnchorLink
      to="/settings/model-prices"
      search={toSearch(models)}
      inherit
      title={`${plural(steps, "step")} without a price. Set model prices`}
    >
      {isKnown ? `${dollars(cost)}+` : "No price"}
    </AnchorLink>
  );
}
