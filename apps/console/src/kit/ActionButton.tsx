import { isStaffPermission, permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import { Terminal, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { lacking } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { useOperation } from '../api/query.ts'
import { Button, type ButtonColor, type ButtonSize } from '../ui/Button.tsx'
import { Confirm, otherAnswer } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.ts'
import { copyAsCurl } from './copy-as-curl.ts'

// Every question of the console can be answered so: this file is loaded with whatever may ask one.
Object.assign(otherAnswer, {
  label: 'Copy as curl',
  icon: Terminal,
  instead: (act: () => void) => void copyAsCurl(act),
} satisfies typeof otherAnswer)

type Called = Pick<Operation, 'access'>

/** Why one may not call an operation, in words; null when one may. */
export function useDenied(): (operation: Called) => string | null {
  const user = useSession((session) => session.user)
  return (operation) => {
    const lacked = lacking(user, operation)
    if (lacked === null) return null
    return `You need the permission “${isStaffPermission(lacked) ? staffPermissions[lacked] : permissions[lacked]}” for this`
  }
}

/** A button that leads to `operation`: disabled with the reason when one may not call it, or when it cannot be called now (`disabled`). */
export function ActionButton({ operation, disabled, ...rest }: Parameters<typeof Button>[0] & { operation: Called }) {
  const denied = useDenied()
  return <Button {...rest} disabled={denied(operation) ?? disabled ?? null} />
}

type Question<Op extends Operation> = {
  operation: Op
  input: Input<Op>
  /** The question. */
  title: string
  /** What it touches and what follows, in words. */
  children: ReactNode
  confirm: string
  color?: ButtonColor
  /** Said by toast when it is done. */
  done?: string | undefined
  onDone?: ((reply: Reply<Op>) => void) | undefined
}

/** Asks, then calls an operation: says that it is done by toast, and why it failed in the question itself. */
export function ConfirmCall<Op extends Operation>({
  open = true,
  onClose,
  operation,
  input,
  color = 'success',
  done,
  onDone,
  ...question
}: Question<Op> & { open?: boolean; onClose: () => void }) {
  const mutation = useOperation(operation)
  const close = () => {
    onClose()
    mutation.reset()
  }
  return (
    <Confirm
      {...question}
      open={open}
      onClose={close}
      color={color}
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() =>
        mutation.mutate(input, {
          onSuccess: (reply) => {
            close()
            if (done) toast.success(done)
            onDone?.(reply)
          },
        })
      }
    />
  )
}

/** A button that asks, then calls an operation. */
export function ConfirmButton<Op extends Operation>({
  disabled,
  label,
  icon,
  color = 'secondary',
  size = 'medium',
  confirm = label,
  confirmColor = 'success',
  ...question
}: Omit<Question<Op>, 'confirm' | 'color'> & {
  disabled?: boolean | string | null
  label: string
  icon?: LucideIcon
  color?: ButtonColor
  size?: ButtonSize
  confirm?: string
  confirmColor?: ButtonColor
}) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        operation={question.operation}
        disabled={disabled ?? null}
        {...(icon && { icon })}
        color={color}
        size={size}
        onClick={() => setOpen(true)}
      >
        {label}
      </ActionButton>
      <ConfirmCall<Op> {...question} open={open} onClose={() => setOpen(false)} confirm={confirm} color={confirmColor} />
    </>
  )
}
