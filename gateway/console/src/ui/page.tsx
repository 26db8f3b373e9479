// Frame of a page: title, actions and request button.

import { Group, Text, Title } from "@mantine/core";
import type { LinkProps } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { ApiRequest } from "../api/request.ts";
import { AnchorLink } from "./link.tsx";
import classes from "./page.module.css";
import { RequestButton } from "./request-button.tsx";

interface PageProps {
  readonly title: string;
  /** Element next to the title, such as a status. */
  readonly mark?: ReactNode;
  readonly description?: ReactNode;
  /** List page to which a detail page belongs. */
  readonly parent?: { readonly to: LinkProps["to"]; readonly label: string };
  readonly actions?: ReactNode;
  readonly requests: readonly ApiRequest[];
  readonly children: ReactNode;
}

/** Maximum length of a name in the browser's tab. */
const titleMax = 100;

export function Page({ title, mark, description, parent, actions, requests, children }: PageProps) {
  useEffect(() => {
    document.title = `${title.length > titleMax ? `${title.slice(0, titleMax)}…` : title} · EMS`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          {parent !== undefined && (
            <AnchorLink to={parent.to} size="xs" c="dimmed" className={classes.parent}>
              {parent.label}
            </AnchorLink>
          )}
          <Group gap="xs" wrap="wrap">
            <Title order={1} className={classes.title} lineClamp={4}>
              {title}
            </Title>
            {mark}
          </Group>
          {description !== undefined && (
            <Text size="sm" c="dimmed" component="div" className={classes.title}>
              {description}
            </Text>
          )}
        </div>
        <Group gap="xs" className={classes.actions}>
          {actions}
          {requests.length > 0 && <RequestButton requests={requests} />}
        </Group>
      </header>
      {children}
    </div>
  );
}
