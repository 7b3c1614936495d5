import { getSecurity } from '@masthead/contract/account/security-operations'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { safeRedirect } from '../api/redirect.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Said to who comes from elsewhere: whoever found an account opened with their address before they came by a provider or a mailed link, staff whom the backoffice sent here for a second factor, and who has just proved themselves at the provider. */
export function WayBack() {
  const { data: security } = useQuery(q(getSecurity, {}))
  const [params] = useSearchParams()
  const back = safeRedirect(params.get('back'))
  if (!security) return null
  const { authenticator, passkeys, provider_proof, earlier_access_ended: ended } = security
  const done = authenticator !== null || passkeys.length > 0
  return (
    <>
      {ended && (
        <Notice tone="warn">
          Somebody had created an account with your e-mail address before you showed that it is yours (
          <RelativeTime at={ended.at} />
          ). All earlier access to it was ended: {ended.words}. Its assets and activities stayed.
        </Notice>
      )}
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
            ? 'You have a second factor and can enter the backoffice with it.'
            : 'The backoffice requires a second factor of staff. Switch on two-factor authentication, or add a passkey.'}
        </Notice>
      )}
      {provider_proof?.until && (
        <Notice tone="ok">{provider_proof.name} has confirmed your identity. Continue within five minutes; it counts once.</Notice>
      )}
    </>
  )
}
