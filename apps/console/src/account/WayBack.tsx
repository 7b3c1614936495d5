import { getSecurity } from '@masthead/contract/account/security-operations'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { safeRedirect } from '../api/redirect.ts'
import { Notice } from '../ui/Notice.tsx'

/** Said to who comes from elsewhere: staff whom the backoffice sent here for a second factor, and who has just proved themselves at the provider. */
export function WayBack() {
  const { data: security } = useQuery(q(getSecurity, {}))
  const [params] = useSearchParams()
  const back = safeRedirect(params.get('back'))
  if (!security) return null
  const { authenticator, passkeys, provider_proof } = security
  const done = authenticator !== null || passkeys.length > 0
  return (
    <>
      {/^\/masa(?:\/|$|\?)/.test(back) && (
        <Notice
          tone={done ? 'ok' : 'info'}
          action={
            <Link className="link" to={back}>
              Back to the backoffice
            </Link>
          }
        >
          {done
            ? 'You have a second factor: the backoffice lets you in with it.'
            : 'The backoffice asks staff for a second factor. Switch two-factor sign-in on, or add a passkey.'}
        </Notice>
      )}
      {provider_proof?.until && (
        <Notice tone="ok">
          {provider_proof.name} has confirmed that it is you. Go on with what you wanted within five minutes; it counts once.
        </Notice>
      )}
    </>
  )
}
