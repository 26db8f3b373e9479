// Defines a list's filters as data. Each filter specifies its URL parameter.

import { createElement, type FunctionComponent, useState } from "react";
import { dayRange } from "../../url/day-range.ts";
import { flag, type RawSearch, text, texts } from "../../url/search.ts";
import { count } from "../format.ts";
import { describeRest, type Source } from "../pick/found.ts";
import { type Choice, ChoiceFilter } from "./choice-filter.tsx";
import { DayFilter } from "./day-filter.tsx";
import { SearchBox } from "./search-box.tsx";
import { FlagFilter, SingleFilter } from "./single-filter.tsx";

type ParameterNames<Search, Value> = {
  [Name in keyof Search]-?: NonNullable<Search[Name]> extends Value ? Name : never;
}[keyof Search] &
  string;

type Options = readonly Choice<string>[];

interface OptionsProps {
  readonly label: string;
  /** The filter's options, or a source that finds them. */
  readonly options: Options | Source;
}

export interface FilterProps<Search> {
  readonly search: Search;
  readonly onChange: (change: Partial<Search>) => void;
}

/** Filter for a text, for one or several options, for yes or no, or for days; or a component for anything else. */
export type ListFilter<Search> =
  | { readonly text: ParameterNames<Search, string>; readonly label: string }
  | ({ readonly some: ParameterNames<Search, readonly string[]> } & OptionsProps)
  | ({ readonly one: ParameterNames<Search, string>; readonly fallback?: string } & OptionsProps)
  | { readonly flag: ParameterNames<Search, boolean>; readonly label: string }
  | "days"
  | FunctionComponent<FilterProps<Search>>;

interface FiltersProps<Search> {
  readonly filters: readonly ListFilter<Search>[];
  readonly search: Search;
  /** Called with the changed URL parameters of one filter. */
  readonly onChange: (change: object) => void;
}

export function Filters<Search extends object>({ filters, ...props }: FiltersProps<Search>) {
  return filters.map((filter, index) => <Filter key={index} filter={filter} {...props} />);
}

interface OneFilterProps<Search> extends Omit<FiltersProps<Search>, "filters"> {
  readonly filter: ListFilter<Search>;
}

function Filter<Search extends object>({ filter, search, onChange }: OneFilterProps<Search>) {
  if (typeof filter === "function") return createElement(filter, { search, onChange });
  const values: RawSearch = Object.fromEntries(Object.entries(search));
  if (filter === "days") return <DayFilter value={dayRange(values)} onChange={onChange} />;
  const change = (name: string) => (value: unknown) => onChange({ [name]: value });
  if ("text" in filter)
    return <SearchBox label={filter.label} value={text(values[filter.text])} onChange={change(filter.text)} />;
  if ("flag" in filter)
    return <FlagFilter label={filter.label} value={flag(values[filter.flag])} onChange={change(filter.flag)} />;
  if ("some" in filter)
    return <SomeFilter {...filter} value={texts(values[filter.some])} onChange={change(filter.some)} />;
  const value = text(values[filter.one]) ?? filter.fallback;
  return <OneFilter {...filter} value={value} onChange={change(filter.one)} />;
}

interface ChosenProps<Value> extends OptionsProps {
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

function SomeFilter({ label, options, value, onChange }: ChosenProps<string[]>) {
  if (typeof options !== "function")
    return <ChoiceFilter label={label} options={options} value={value} onChange={onChange} />;
  return <FoundFilter label={label} source={options} value={value} onChange={onChange} />;
}

function OneFilter({ label, options, value, onChange }: ChosenProps<string>) {
  if (typeof options !== "function")
    return <SingleFilter label={label} options={options} value={value} onChange={onChange} />;
  return (
    <FoundFilter
      label={label}
      source={options}
      isSingle
      value={value === undefined ? undefined : [value]}
      // A second choice replaces the first.
      onChange={(values) => onChange(values?.at(-1))}
    />
  );
}

interface FoundFilterProps {
  readonly label: string;
  readonly source: Source;
  /** True to choose one value, from a menu if it can show all. */
  readonly isSingle?: boolean;
  readonly value: string[] | undefined;
  readonly onChange: (value: string[] | undefined) => void;
}

function FoundFilter({ label, source: useFound, isSingle = false, value, onChange }: FoundFilterProps) {
  const [typed, setTyped] = useState("");
  const found = useFound(typed, value ?? []);
  const rest = describeRest(found, count);
  if (isSingle && rest === undefined && typed === "") {
    const change = (next: string | undefined) => onChange(next === undefined ? undefined : [next]);
    return <SingleFilter label={label} options={found.choices} value={value?.[0]} onChange={change} />;
  }
  return (
    <ChoiceFilter
      label={label}
      options={found.choices}
      value={value}
      rest={rest}
      typed={typed}
      onType={setTyped}
      onChange={onChange}
    />
  );
}
