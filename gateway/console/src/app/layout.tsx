// Frame of all pages: menu, application, command palette and sign-out.

import { ActionIcon, AppShell, Burger, Button, Group, Kbd, ScrollArea, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { LogOut, Search } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Palette } from "../palette/palette.tsx";
import { sessionQuery, signOut } from "../session/session.ts";
import icon from "./icon.svg";
import classes from "./layout.module.css";
import { usePages } from "./pages.ts";
import { Shortcuts } from "./shortcuts.tsx";

/** Loaded only if a person is signed in, because a session with an API key has a single application. */
const ApplicationMenu = lazy(() => import("./application-menu.tsx"));

export function Layout() {
  const [isMenuOpen, menu] = useDisclosure();
  const [opening, setOpening] = useState(0);
  const openPalette = useCallback(() => setOpening((times) => times + 1), []);
  const pages = usePages();
  const sections = [...new Set(pages.map(({ section }) => section))];
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);
  // Close the menu and move focus to the content when the page changes.
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    menu.close();
    main.current?.focus({ preventScroll: true });
  }, [pathname, menu]);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !isMenuOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger
            hiddenFrom="sm"
            size="sm"
            opened={isMenuOpen}
            onClick={menu.toggle}
            aria-label={isMenuOpen ? "Close the menu" : "Open the menu"}
          />
          <Link to="/" className={classes.brand} aria-label="Overview">
            <img src={icon} alt="" width={22} height={22} />
          </Link>
          <ApplicationName />
        </Group>
        <UnstyledButton className={classes.palette} onClick={openPalette} aria-keyshortcuts="Control+K">
          <Search size={14} aria-hidden />
          <span className={classes.paletteText}>Go to…</span>
          <Kbd size="xs" className={classes.paletteText}>
            Ctrl K
          </Kbd>
        </UnstyledButton>
        <SignOut />
      </AppShell.Header>
      <AppShell.Navbar aria-label="Menu">
        <ScrollArea p="xs">
          {sections.map((section) => (
            <div key={section} className={classes.section}>
              <Text size="xs" c="dimmed" className={classes.sectionName}>
                {section}
              </Text>
              {pages
                .filter((page) => page.section === section)
                .map(({ to, label, icon: Icon }) => (
                  <Link key={to} to={to} className={classes.link}>
                    <Icon size={16} aria-hidden />
                    {label}
                  </Link>
                ))}
            </div>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
      <Shortcuts onPalette={openPalette} />
      <Palette opening={opening} />
    </AppShell>
  );
}

function ApplicationName() {
  const { data } = useQuery(sessionQuery);
  const application = data?.data?.application;
  const name = application?.name ?? application?.id;
  if (data?.data?.member != null) {
    return (
      <Suspense fallback={null}>
        <ApplicationMenu session={data.data} />
      </Suspense>
    );
  }
  return (
    <Text size="sm" fw={600} truncate title={name}>
      {name}
    </Text>
  );
}

function SignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: signOut,
    onSuccess: async (answer) => {
      client.clear();
      if (answer !== undefined) return window.location.assign(answer.data.signOutUrl);
      await navigate({ to: "/sign-in" });
    },
  });
  return (
    <>
      <Button
        visibleFrom="xs"
        variant="subtle"
        color="gray"
        loading={isPending}
        onClick={() => mutate()}
        leftSection={<LogOut size={14} aria-hidden />}
      >
        Sign out
      </Button>
      <ActionIcon hiddenFrom="xs" variant="subtle" color="gray" aria-label="Sign out" onClick={() => mutate()}>
        <LogOut size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
