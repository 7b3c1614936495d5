import type { Security } from '@masthead/contract/account/security-operations'
import { linkIdentity, listIdentities, unlinkIdentity } from '@masthead/contract/auth/sign-in-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { settings } from '../api/settings.ts'
import { providerWords } from '../auth/index.ts'
import { FormModal } from '../kit/FormModal.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { plain, toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'

type Linked = Reply<typeof listIdentities>['items'][number]

/** Signing in with the identity provider: which identity is linked, and how to link or unlink it. Nothing where there is no provider. */
export function IdentitiesPanel({ security }: { security: Security }) {
  const { data, error, refetch } = useQuery(q(listIdentities, {}))
  const [params, setParams] = useSearchParams()
  const [open, setOpen] = useState<'link' | Linked | null>(null)
  const close = () => setOpen(null)
  // The way to link one comes back with the code of what went wrong.
  const words = providerWords(params.get('problem'))
  const name = settings.identity?.name
  if (!name && !data?.items.length) return null
  const link = (
    <Button size="small" onClick={() => setOpen('link')}>
      Link {name}
    </Button>
  )
  return (
    <Panel title={name ? `Sign-in with ${name}` : 'Identity provider'} flush className="col-span-full">
      {words && (
        <div className="p-4 pb-0">
          <Notice
            tone="bad"
            action={
              <button
                type="button"
                className="link"
                onClick={() => setParams((now) => new URLSearchParams([...now].filter(([key]) => key !== 'problem')), { replace: true })}
              >
                Dismiss
              </button>
            }
          >
            {words}
          </Notice>
        </div>
      )}
      {error && !data && <ErrorState title="Linked identities could not be loaded" failure={error} onRetry={() => void refetch()} />}
      {!error && !data && (
        <div className="p-4">
          <SkeletonLines />
        </div>
      )}
      {data?.items.length === 0 && (
        <EmptyState title={`${name} is not linked`} actions={link}>
          Once it is linked, you sign in there and need no password here. A second factor is then asked for there and not here.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className="divide-y divide-line">
          {data.items.map((identity) => (
            <li key={identity.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <span className="grid min-w-0 flex-1">
                <span className="wrap-anywhere">{identity.email}</span>
                <span className="text-xs text-fg-3">
                  Linked <RelativeTime at={identity.linked_at} />, last used <RelativeTime at={identity.used_at} />
                </span>
              </span>
              <Button
                size="small"
                disabled={identity.last_way_in ? 'This is your only way to sign in. Set a password first' : null}
                onClick={() => setOpen(identity)}
              >
                Unlink
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open === 'link' && (
        <FormModal
          open
          onClose={close}
          title={`Link ${name}`}
          operation={linkIdentity}
          values={{ ...noProof, return_to: '/profile' }}
          submit={`Go to ${name}`}
          onDone={({ url }) => location.assign(url)}
        >
          <p className="text-fg-2 text-pretty">You sign in at {name}, and come back here.</p>
          <ProofFields security={security} focus />
        </FormModal>
      )}
      {open !== null && open !== 'link' && (
        <FormModal
          open
          onClose={close}
          title={`Unlink ${open.email}?`}
          operation={unlinkIdentity}
          values={noProof}
          input={(body) => ({ params: { identity_id: open.id }, body })}
          submit="Unlink"
          color="danger"
          onDone={() => toast.success(`Unlinked ${plain(open.email)}`)}
        >
          <p className="text-fg-2 text-pretty">It can no longer sign you in, and sessions that were opened with it elsewhere end.</p>
          <ProofFields security={security} focus />
        </FormModal>
      )}
    </Panel>
  )
}
