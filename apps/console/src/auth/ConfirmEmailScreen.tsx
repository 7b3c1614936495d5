import { confirmEmail } from '@masthead/contract/account/security-operations'
import { Link, useSearchParams } from 'react-router'
import { useOperation } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { AuthFrame } from './AuthFrame.tsx'

/** Confirms a new e-mail address by a mailed link. By a press, so that programs that open the links of mails do not confirm it. */
export default function ConfirmEmailScreen() {
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const mutation = useOperation(confirmEmail)
  const stale = mutation.error?.code === 'link_expired'
  const done = mutation.data !== undefined
  return (
    <AuthFrame
      title="Confirm your e-mail address"
      words={
        stale
          ? 'The link works once, for one day.'
          : done
            ? 'You sign in with it, and e-mails go there.'
            : 'From then on you sign in with it, and e-mails go there.'
      }
    >
      {mutation.error && !stale && <FailureNotice of={mutation.error} />}
      {stale && (
        <Notice tone="bad">
          This link has been used or cancelled, or it has expired. The profile of the account shows the address in use and can mail a new
          link.
        </Notice>
      )}
      {token === '' && <Notice tone="bad">This link is incomplete. Open it from the e-mail again.</Notice>}
      {mutation.data && (
        <Notice tone="ok">
          Your e-mail address is <b className="font-medium wrap-anywhere">{mutation.data.email}</b> now.
        </Notice>
      )}
      {!done && !stale && token !== '' && (
        <Button color="primary-solid" size="large" loading={mutation.isPending} onClick={() => mutation.mutate({ body: { token } })}>
          Confirm
        </Button>
      )}
      <p>
        <Link className="link" to={done || stale ? '/profile' : '/login'}>
          {done || stale ? 'Go to your profile' : 'Go to the sign-in'}
        </Link>
      </p>
    </AuthFrame>
  )
}
