import { prove, type Security } from '@masthead/contract/account/security-operations'
import type { Input, Operation } from '@masthead/contract/kernel/operation'
import { useState, type ReactNode } from 'react'
import { useOperation } from '../api/query.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmButton } from '../kit/ConfirmCall.tsx'
import { useClock } from '../kit/clock.ts'
import { FormModal } from '../kit/FormModal.tsx'
import type { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'

type Props<Op extends Operation> = {
  operation: Op
  input: Input<Op>
  security: Security | undefined
  label: string
  title: string
  done: string
  disabled?: string | false
  color?: Parameters<typeof Button>[0]['color']
  children: ReactNode
}

/** A button for what asks for a proof of the last minutes: who proved themselves just now, as by signing in, is only asked whether they mean it. */
export function ProvedButton<Op extends Operation>({
  operation,
  input,
  security,
  color = 'secondary',
  disabled = false,
  ...words
}: Props<Op>) {
  const { label, title, done, children } = words
  const [open, setOpen] = useState(false)
  const mutation = useOperation(operation)
  const until = security?.proved_until
  const proved = useClock((now) => !security || (until ? Date.parse(until) > now : false))
  // A dialog that is open stays the one it was.
  if (proved && !open) return <ConfirmButton size="small" {...{ operation, input, color, disabled, label, title, done, children }} />
  const act = () =>
    mutation.mutate(input, {
      onSuccess: () => void toast.success(done),
      onError: (failure) => toast.failure(failure),
    })
  return (
    <>
      <ActionButton operation={operation} size="small" color={color} disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </ActionButton>
      <FormModal
        open={open}
        onClose={() => setOpen(false)}
        title={title}
        operation={prove}
        values={noProof}
        submit={label}
        color="success"
        onDone={act}
      >
        <p className="text-fg-2 text-pretty">{children}</p>
        {security && <ProofFields security={security} focus />}
      </FormModal>
    </>
  )
}
