import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import type { LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useOperation } from '../api/query.ts'
import type { ButtonColor, ButtonSize } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.ts'
import { ActionButton } from './ActionButton.tsx'

type Question<Op extends Operation> = {
  operation: Op
  input: Input<Op>
  /** The question. */
  title: string
  /** What it touches and what follows, in words. */
  children: ReactNode
  confirm: string
  color?: ButtonColor
  /** What must be typed before it can be done: the name of what is destroyed. */
  typed?: string
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
