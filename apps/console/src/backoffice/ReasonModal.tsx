import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import type { ReactNode } from 'react'
import type { DefaultValues } from 'react-hook-form'
import { FormModal } from '../kit/FormModal.tsx'
import { FormText } from '../kit/FormField.tsx'
import type { Body } from '../kit/use-operation-form.ts'
import type { ButtonColor } from '../ui/Button.tsx'

type ReasonModalProps<Op extends Operation> = {
  open: boolean
  onClose: () => void
  title: string
  operation: Op
  params?: Record<string, string>
  /** What is sent beside the reason. */
  body?: Record<string, unknown>
  submit: string
  color?: ButtonColor
  hint?: string
  onDone?: (reply: Reply<Op>) => void
  /** What it touches and what follows, in words; and further fields. */
  children: ReactNode
}

/** Asks for the reason of something that staff do to a customer, then does it. */
export function ReasonModal<Op extends Operation>({ params, body: more, children, hint, ...rest }: ReasonModalProps<Op>) {
  return (
    <FormModal
      {...rest}
      values={{ ...more, reason: '' } as unknown as DefaultValues<Body<Op>>}
      input={(body) => ({ ...(params && { params }), body }) as Input<Op>}
    >
      <div className="grid gap-3 text-fg-2 text-pretty">{children}</div>
      <FormText name="reason" label="Reason" hint={hint ?? 'The customer sees it in their activities.'} />
    </FormModal>
  )
}
