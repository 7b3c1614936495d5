import { useQuery } from '@tanstack/react-query'
import { getSecurity, prove, type Security } from '@masthead/contract/account/security-operations'
import { ShieldCheck, Undo2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { q, queries } from '../api/query.ts'
import { FormModal } from '../kit/FormModal.tsx'
import { Button } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { noProof, ProofFields } from './ProofFields.tsx'

const SwitchOnTwoFactor = lazy(() => import('./SwitchOnTwoFactor.tsx').then((file) => ({ default: file.SwitchOnTwoFactor })))

type Props = {
  /** The team one acts for; null on one's own account. */
  team: string | null
  lacks: 'missing' | 'unproved'
  open: boolean
  onOpen: (open: boolean) => void
  onBack: (() => void) | null
}

/** In place of a screen while the account demands a second factor that one has not, or has not used here: why, and the way in. */
export function LacksFactor({ team, lacks, open, onOpen, onBack }: Props) {
  const missing = lacks === 'missing'
  const { data: security } = useQuery(q(getSecurity, {}))
  // Everything that was refused is asked for anew.
  const close = () => {
    onOpen(false)
    void queries.invalidateQueries()
  }
  return (
    <Panel title="Two-factor authentication is required here" className="max-w-[72ch]">
      <div className="grid gap-4">
        <p className="text-fg-2 text-pretty">
          {team === null ? 'You require' : <b className="font-medium text-fg wrap-anywhere">{team}</b>}
          {team === null ? ' a second factor of everybody who works on your account, yourself included' : ' requires a second factor'}: a
          code from an authenticator app, or a passkey.{' '}
          {missing
            ? 'You have none yet. Set up an app here, or a passkey on the profile of your own account.'
            : 'You have one, but signed in without it. Verify it once; that counts until you sign out.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button color="primary-solid" icon={ShieldCheck} disabled={!security} onClick={() => onOpen(true)}>
            {missing ? 'Set up an authenticator app' : 'Verify'}
          </Button>
          {onBack && (
            <Button icon={Undo2} onClick={onBack}>
              Go to the profile of your own account
            </Button>
          )}
        </div>
      </div>
      {open && security && missing && (
        <Suspense>
          <SwitchOnTwoFactor security={security} onClose={close} />
        </Suspense>
      )}
      {security && !missing && (
        <FormModal
          open={open}
          onClose={close}
          title="Verify your second factor"
          operation={prove}
          values={noProof}
          submit="Verify"
          onDone={close}
        >
          <ProofFields security={byTwo(security)} focus />
        </FormModal>
      )}
    </Panel>
  )
}

/** The password proves two factors only with a code beside it. */
const byTwo = (security: Security): Security => ({
  ...security,
  has_password: security.has_password && security.authenticator !== null,
})
