import type { Security } from '@masthead/contract/account/security-operations'
import { proveByIdentity } from '@masthead/contract/auth/sign-in-operations'
import { ExternalLink } from 'lucide-react'
import { useLocation } from 'react-router'
import { useOperation } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Proving who one is at the identity provider, for who has no password: one goes there, comes back to this screen, and it counts once. */
export function ProviderProof({ proof: { name, until } }: { proof: NonNullable<Security['provider_proof']> }) {
  const { pathname, search } = useLocation()
  const mutation = useOperation(proveByIdentity)
  const go = () => mutation.mutate({ body: { return_to: pathname + search } }, { onSuccess: ({ url }) => location.assign(url) })
  if (until) return <Notice tone="ok">Verified at {name}. It counts once, for five minutes.</Notice>
  return (
    <div className="grid gap-2">
      {mutation.error && <FailureNotice of={mutation.error} />}
      <p className="text-fg-2 text-pretty">You have no password here: sign in at {name} again, and come back to this screen.</p>
      <div>
        <Button size="small" icon={ExternalLink} loading={mutation.isPending || mutation.isSuccess} onClick={go}>
          Verify at {name}
        </Button>
      </div>
    </div>
  )
}
