import { removeAuthenticator, renewRecoveryCodes, type Security } from '@masthead/contract/account/security-operations'
import { lazy, Suspense, useState } from 'react'
import { FormModal } from '../kit/FormModal.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const SwitchOnTwoFactor = lazy(() => import('./SwitchOnTwoFactor.tsx').then((file) => ({ default: file.SwitchOnTwoFactor })))

type Open = 'on' | 'off' | 'renew' | null

/** Whether a code of an app is asked for beside the password, and the recovery codes that stand in for it. */
export function TwoFactorPanel({ security }: { security: Security }) {
  const { authenticator } = security
  const [open, setOpen] = useState<Open>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const close = () => setOpen(null)
  return (
    <Panel
      title="Two-factor authentication"
      note={authenticator ? 'On' : 'Off'}
      end={
        !authenticator && (
          <Button size="small" onClick={() => setOpen('on')}>
            Switch on
          </Button>
        )
      }
    >
      {authenticator ? (
        <div className="grid gap-3">
          <p className="text-fg-2 text-pretty">
            After your password you enter a code from your authenticator app. Switched on <RelativeTime at={authenticator.since} />.
            Recovery codes left: <b className="font-medium text-fg">{authenticator.recovery_codes_left} of 10</b>.
          </p>
          {authenticator.recovery_codes_left < 3 && (
            <Notice tone="warn">
              Create new recovery codes before the last is used, because without them and without your app you cannot sign in.
            </Notice>
          )}
          <div className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setOpen('renew')}>
              New recovery codes
            </Button>
            <Button size="small" color="danger-quiet" onClick={() => setOpen('off')}>
              Switch off
            </Button>
          </div>
        </div>
      ) : (
        <p className="text-fg-2 text-pretty">
          Without it, anybody who learns your password can sign in. With it, they also need a code from an app on your phone.
        </p>
      )}
      {open === 'on' && (
        <Suspense>
          <SwitchOnTwoFactor security={security} onClose={close} />
        </Suspense>
      )}
      <FormModal
        open={open === 'off'}
        onClose={close}
        title="Switch off two-factor authentication?"
        operation={removeAuthenticator}
        values={noProof}
        submit="Switch off"
        color="danger"
        onDone={() => toast.success('Two-factor authentication is off')}
      >
        <p className="text-fg-2">Your password alone is then enough to sign in, and your recovery codes stop working.</p>
        <ProofFields security={security} focus />
      </FormModal>
      <FormModal
        open={open === 'renew'}
        onClose={close}
        title="Create new recovery codes"
        operation={renewRecoveryCodes}
        values={noProof}
        submit="Create new codes"
        onDone={({ recovery_codes }) => setCodes(recovery_codes)}
      >
        <p className="text-fg-2">The ones you have stop working.</p>
        <ProofFields security={security} focus />
      </FormModal>
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </Panel>
  )
}
