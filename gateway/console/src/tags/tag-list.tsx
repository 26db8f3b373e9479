import { Group } from "@mantine/core";
import type { Schemas } from "../api/request.ts";
import classes from "./tag-list.module.css";

/** Shows tags, each with a dot in its color, because text on an arbitrary color may be unreadable. */
export function TagList({ tags }: { readonly tags: readonly Pick<Schemas["CoreTag"], "id" | "name" | "color">[] }) {
  return (
    <Group gap={4}>
      {tags.map(({ id, name, color }) => (
        <span key={id} className={classes.tag}>
          <svg width={8} height={8} aria-hidden>
            <circle cx={4} cy={4} r={4} fill={color} />
          </svg>
          {name}
        </span>
      ))}
    </Group>
  );
}
