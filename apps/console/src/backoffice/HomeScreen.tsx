import { useQuery } from '@tanstack/react-query'
// In one file with this screen: the sidebar asks for it here.
import '../staff-menu.ts'
import { getHome } from '@masthead/contract/backoffice/home-operations'
import { listGateways } from '@masthead/contract/backoffice/gateway-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { useMay } from '../api/session.ts'
import { later } from '../kit/later.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Cell, Frame, Panel, Stat } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { whenIdle } from '../ui/when-idle.ts'
import { FindAnything } from './FindAnything.tsx'
import { LogLines } from './LogLines.tsx'
import { BackofficeEnd } from './StayMark.tsx'

const LatestSupport = later(async () => (await import('./support/LatestSupport.tsx')).LatestSupport, null, whenIdle)

/** Home of the backoffice: find anything, see how the installation is and what staff did last. */
export default function HomeScreen() {
  const { data, error, refetch } = useQuery({ ...q(getHome, {}), refetchInterval: 30_000 })
  const networks = useMay(listGateways)
  const logs = useMay(listStaffLog)
  const loading = !data
  const figure = (label: string, value: number | undefined, to?: string | false) => (
    <Cell>
      <Stat
        label={
          to ? (
            <Link className="link" to={to}>
              {label}
            </Link>
          ) : (
            label
          )
        }
        value={value?.toLocaleString('en') ?? ''}
        loading={loading}
      />
    </Cell>
  )
  return (
    <>
      <BackofficeEnd />
      <FindAnything />
      {error && !data ? (
        <ErrorState title="The totals could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid gap-4">
          <Frame className="grid-cols-2 @sm:grid-cols-4 @lg:grid-cols-6">
            {figure('Accounts', data?.accounts, '/masa/accounts')}
            {figure('Suspended', data?.suspended, '/masa/accounts?suspended=true')}
            {figure('Assets', data?.assets)}
            {figure('Active SIMs', data?.active_sims)}
            {figure('Blocked SIMs', data?.blocked_sims)}
            {figure('Open sessions', data?.open_sessions)}
            {figure('Gateways', data?.gateways, networks && '/masa/gateways')}
            {figure('Silent gateways', data?.silent_gateways, networks && '/masa/gateways')}
            {figure('In quarantine', data?.quarantined, networks && '/masa/quarantine')}
            {figure('Available stock', data?.free_stock, '/masa/stock?state=free')}
            {figure('Jobs waiting', data?.waiting_jobs)}
            <Cell>
              <Stat
                label="Usage lag"
                value={data?.usage_lag_seconds === null ? '—' : (data?.usage_lag_seconds.toLocaleString('en') ?? '')}
                unit={data?.usage_lag_seconds === null ? undefined : 's'}
                loading={loading}
              />
            </Cell>
          </Frame>
          <Panel
            title={logs ? 'Recent staff actions' : 'Your recent actions'}
            flush
            end={
              logs && (
                <Link className="link text-xs" to="/masa/logs">
                  View all
                </Link>
              )
            }
          >
            {data ? (
              <LogLines entries={data.latest} />
            ) : (
              <div className="p-4">
                <SkeletonLines lines={6} />
              </div>
            )}
          </Panel>
          <LatestSupport rows={data?.latest_support} />
        </div>
      )}
    </>
  )
}
