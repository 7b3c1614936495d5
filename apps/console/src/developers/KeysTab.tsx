import type { ApiKey } from '@masthead/contract/developers/api-key'
import { createApiKey, listApiKeys } from '@masthead/contract/developers/operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { KeyRound, Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { getApiKey } from '@masthead/contract/developers/operations'
import { q } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import type { Filter } from '../kit/filters.ts'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { keyColumns } from './key-columns.tsx'
import { keyLook, keyStates, scopeWords } from './key-words.ts'
import { useKeyActions } from './use-key-actions.tsx'

const filters: Filter[] = [{ key: 'state', label: 'State', options: Object.entries(keyStates).map(([value, label]) => ({ value, label })) }]

/** The keys of the account; one opened beside the list. */
export function KeysTab() {
  const [params, setParams] = useSearchParams()
  const { items, create, dialog } = useKeyActions()
  const opened = params.get('key')
  const addressOf = (key: string | null) => {
    const next = new URLSearchParams(params)
    if (key) next.set('key', key)
    else next.delete('key')
    return next
  }
  const first = { icon: Plus, operation: createApiKey, onClick: create } as const
  return (
    <>
      <BannerEnd>
        <ActionButton {...first} color="primary-solid">
          Create API key
        </ActionButton>
      </BannerEnd>
      <QueryTable
        operation={listApiKeys}
        label="API keys"
        columns={keyColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ id }) => `/developer?${addressOf(id).toString()}`}
        rowActions={items}
        filters={filters}
        search="Name or prefix"
        remember="api-keys"
        live
        empty={
          <EmptyState icon={KeyRound} title="No data found" actions={<ActionButton {...first}>Create your first key</ActionButton>}>
            A program uses a key to do what you do here. You choose its permissions, and you can revoke it at any time.
          </EmptyState>
        }
      />
      {opened && <KeySheet id={opened} onClose={() => setParams(addressOf(null), { preventScrollReset: true })} />}
      {dialog}
    </>
  )
}

function KeySheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(q(getApiKey, { params: { api_key_id: id } }))
  const key = data?.id === id ? data : undefined
  return (
    <Sheet open onClose={onClose} title={key?.name ?? 'API key'} note={key && <span className="mono">{key.prefix}…</span>}>
      {error && !key ? (
        <ErrorState title="The key could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : key ? (
        <KeyFacts of={key} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Sheet>
  )
}

function KeyFacts({ of: key }: { of: ApiKey }) {
  return (
    <>
      {key.lost_scopes.length > 0 && (
        <Notice tone="warn">
          {key.created_by} no longer has all of these permissions, so the key does not either:{' '}
          {key.lost_scopes.map(scopeWords).join(', ').toLowerCase()}.
        </Notice>
      )}
      {key.previous && (
        <Notice tone="info">
          The previous secret, <span className="mono">{key.previous.prefix}…</span>, works until {formatExactHere(key.previous.expires_at)}.
        </Notice>
      )}
      <Facts>
        <Fact label="State">
          <StatusDot {...keyLook(key.state)} />
        </Fact>
        <Fact label="Expires">{key.expires_at ? formatExactHere(key.expires_at) : 'Never'}</Fact>
        <Fact label="Assets">
          {key.tags.length > 0 ? key.tags.map((tag) => tag.name ?? 'a deleted tag').join(', ') : 'All assets its creator can see'}
        </Fact>
        <Fact label="Allowed IP addresses">
          {key.addresses.length > 0 ? <span className="mono">{key.addresses.join(', ')}</span> : 'Any'}
        </Fact>
        <Fact label="Calls per minute">{key.calls_per_minute.toLocaleString('en')}</Fact>
        <Fact label="Last used">
          <RelativeTime at={key.last_used_at} />
          {key.last_used_ip && <span className="mono ml-2">{key.last_used_ip}</span>}
        </Fact>
        <Fact label="Created">
          {formatExactHere(key.created_at)} by {key.created_by}
        </Fact>
        {key.rotated_at && <Fact label="Rotated">{formatExactHere(key.rotated_at)}</Fact>}
      </Facts>
      <section aria-labelledby="key-scopes">
        <h3 id="key-scopes" className="mb-1 font-semibold">
          Permissions
        </h3>
        <ul className="grid gap-1 text-fg-2">
          {key.scopes.map((scope) => (
            <li key={scope} className={key.lost_scopes.includes(scope) ? 'text-fg-3 line-through' : undefined}>
              {scopeWords(scope)} <span className="mono text-xs text-fg-3">{scope}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
