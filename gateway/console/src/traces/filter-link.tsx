// Links a value of a trace to the list of all traces with this value.

import { AnchorLink } from "../ui/link.tsx";
import type { TraceSearch } from "./trace-search.ts";

interface FilterLinkProps {
  readonly filter: keyof TraceSearch & ("service" | "version" | "environment");
  readonly value: string;
}

export function FilterLink({ filter, value }: FilterLinkProps) {
  return (
    <AnchorLink to="/traces" search={{ [filter]: value }} inherit lineClamp={3} title={`All traces of this ${filter}`}>
      {value}
    </AnchorLink>
  );
}
