import type { Security } from '@masthead/contract/account/security-operations'
import { Link, useSearchParams } from 'react-router'
import { safeRedirect } from '../api/redirect.ts'
import { Notice } from '../ui/Notice.tsx'

/** For staff whom the backoffice sent here for a second factor: what is left to do, and the way back. */
export function WayBack({ security: { authenticator, passkeys } }: { security: Security }) {
  const [params] = useSearchParams()
  const back = safeRedirect(params.get('back'))
  if (!/^\/masa(?:\/|$|\?)/.test(back)) return null
  const done = authenticator !== null || passkeys.length > 0
  return (
    <div className="col-span-full">
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
    </div>
  )
}
