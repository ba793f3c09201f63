import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Failure } from '../parts/states.tsx';
import { callSearch } from '../screens/call/search.ts';
import { callsSearch } from '../screens/calls/search.ts';
import { wallSearch } from '../screens/live/signs.ts';
import { campaignSearch, campaignsSearch, newCampaignSearch } from '../screens/campaigns/search.ts';
import { NotFound } from '../screens/not-found.tsx';
import { blockedSearch, directoriesSearch, directorySearch } from '../screens/contacts/search.ts';
import { developersSearch } from '../screens/developers/search.ts';
import { reportsSearch } from '../screens/reports/search.ts';
import { webhooksSearch } from '../screens/webhooks/search.ts';
import { settingsSearch } from '../screens/settings/search.ts';
import { toolsSearch } from '../screens/tools/search.ts';
import { telephonySearch } from '../screens/telephony/search.ts';
import { readNewSearch, readSearch } from '../screens/agents/filter.ts';
import { readVersionsSearch } from '../screens/versions/search.ts';
import { learnZone } from './organization-zone.ts';
import { rootPath } from './root.ts';
import { Shell } from './shell.tsx';

const frame = createRootRoute({
  beforeLoad: learnZone,
  component: Shell,
  notFoundComponent: NotFound,
});

/**
 * The pages. A URL is a state: filters, tabs and selections are its search parameters.
 */
const pages = [
  createRoute({
    getParentRoute: () => frame,
    path: '/',
    component: lazyRouteComponent(() => import('../screens/home/home.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/welcome',
    validateSearch: ({ template }): { template?: number } =>
      Number.isInteger(Number(template)) && template !== undefined ? { template: Number(template) } : {},
    component: lazyRouteComponent(() => import('../screens/welcome/welcome.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/agents',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('../screens/agents/agents.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/calls',
    validateSearch: callsSearch,
    component: lazyRouteComponent(() => import('../screens/calls/calls.tsx'), 'CallsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/calls/$agentId/$runId',
    validateSearch: callSearch,
    component: lazyRouteComponent(() => import('../screens/call/call.tsx'), 'CallPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/live',
    validateSearch: wallSearch,
    component: lazyRouteComponent(() => import('../screens/live/live.tsx'), 'LivePage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/campaigns',
    validateSearch: campaignsSearch,
    component: lazyRouteComponent(() => import('../screens/campaigns/campaigns.tsx'), 'CampaignsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/campaigns/new',
    validateSearch: newCampaignSearch,
    component: lazyRouteComponent(() => import('../screens/campaigns/new-campaign.tsx'), 'NewCampaignPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/campaigns/$id',
    validateSearch: campaignSearch,
    component: lazyRouteComponent(() => import('../screens/campaigns/campaign.tsx'), 'CampaignPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/contacts',
    validateSearch: directoriesSearch,
    component: lazyRouteComponent(() => import('../screens/contacts/directories.tsx'), 'DirectoriesPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/contacts/blocked',
    validateSearch: blockedSearch,
    component: lazyRouteComponent(() => import('../screens/contacts/blocked.tsx'), 'BlockedPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/contacts/$directoryId',
    validateSearch: directorySearch,
    component: lazyRouteComponent(() => import('../screens/contacts/directory.tsx'), 'DirectoryPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/reports',
    validateSearch: reportsSearch,
    component: lazyRouteComponent(() => import('../screens/reports/reports.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/developers',
    validateSearch: developersSearch,
    component: lazyRouteComponent(() => import('../screens/developers/developers.tsx'), 'DevelopersPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/webhooks',
    validateSearch: webhooksSearch,
    component: lazyRouteComponent(() => import('../screens/webhooks/webhooks.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/tools',
    validateSearch: toolsSearch,
    component: lazyRouteComponent(() => import('../screens/tools/tools.tsx'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/telephony',
    validateSearch: telephonySearch,
    component: lazyRouteComponent(() => import('../screens/telephony/telephony.tsx'), 'TelephonyPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/models',
    component: lazyRouteComponent(() => import('../screens/models/models.tsx'), 'ModelsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/settings',
    validateSearch: settingsSearch,
    component: lazyRouteComponent(() => import('../screens/settings/settings.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/agents/new',
    validateSearch: readNewSearch,
    component: lazyRouteComponent(() => import('../screens/agents/new-agent.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/agents/$agentId/versions',
    validateSearch: readVersionsSearch,
    component: lazyRouteComponent(() => import('../screens/versions/versions.tsx'), 'VersionsPage'),
  }),
  createRoute({
    getParentRoute: () => frame,
    path: '/agents/$agentId',
    validateSearch: ({
      view,
      node,
    }: Record<string, unknown>): { view?: 'canvas' | 'outline'; node?: string } => ({
      ...(view === 'canvas' || view === 'outline' ? { view } : {}),
      ...(typeof node === 'string' ? { node } : {}),
    }),
    component: lazyRouteComponent(() => import('../screens/editor/editor.tsx'), 'EditorPage'),
  }),
] as const;

export const router = createRouter({
  routeTree: frame.addChildren(pages),
  basepath: rootPath === '' ? '/' : rootPath,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  scrollRestoration: true,
});
