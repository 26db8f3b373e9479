import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./section.module.css";

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Level of the heading. */
  readonly order?: 2 | 3;
  readonly children: ReactNode;
}

export function Section({ title, description, actions, order = 2, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <Group justify="space-between" gap="xs">
        <div>
          <Title order={order}>{title}</Title>
          {description !== undefined && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </section>
  );
}
