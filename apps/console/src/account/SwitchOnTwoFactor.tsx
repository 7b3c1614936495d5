import { confirmAuthenticator, startAuthenticator, type Security } from '@masthead/contract/account/security-operations'
import { useState } from 'react'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Step = { at: 'proof' } | { at: 'app'; secret: string; uri: string } | { at: 'codes'; codes: readonly string[] }

/** Switching two-factor authentication on: who one is, the app with its first code, the recovery codes. */
export function SwitchOnTwoFactor({ security, onClose }: { security: Security; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ at: 'proof' })
  if (step.at === 'codes')
    return (
      <RecoveryCodes
        codes={step.codes}
        onClose={() => {
          onClose()
          toast.success('Two-factor authentication is on')
        }}
      />
    )
  if (step.at === 'app')
    return (
      <FormModal
        key="app"
        open
        onClose={onClose}
        stays
        title="Set up your authenticator app"
        operation={confirmAuthenticator}
        values={{ code: '' }}
        submit="Switch on"
        onDone={({ recovery_codes }) => setStep({ at: 'codes', codes: recovery_codes })}
      >
        <div className="flex flex-wrap items-start gap-4">
          <QrCode text={step.uri} label="QR code for your authenticator app" />
          <div className="grid min-w-48 flex-1 gap-2">
            <p className="text-fg-2 text-pretty">Scan this with an authenticator app, or type its key:</p>
            <p className="mono text-sm wrap-anywhere">{inGroups(step.secret)}</p>
            <div>
              <CopyButton text={step.secret} label="Copy the key" words="Copy" />
            </div>
          </div>
        </div>
        <FormText name="code" label="Code from the app" mono inputMode="numeric" autoComplete="one-time-code" maxLength={12} autoFocus />
      </FormModal>
    )
  return (
    <FormModal
      key="proof"
      open
      onClose={onClose}
      stays
      title="Switch on two-factor authentication"
      operation={startAuthenticator}
      values={noProof}
      submit="Continue"
      onDone={({ secret, uri }) => setStep({ at: 'app', secret, uri })}
    >
      <p className="text-fg-2">You need an authenticator app on your phone. First, confirm your identity.</p>
      <ProofFields security={security} focus />
    </FormModal>
  )
}

/** Letters in fours are easier to type. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
