import * as z from 'zod/mini'

/** Why something does not come about, by the names that programs for these devices know. */
export const progressErrors = [
  'AppNotFound',
  'CrashLoopBackOff',
  'DeviceNotReachable',
  'ErrorNameExists',
  'ErrorNoProfile',
  'ErrorPortInUse',
  'ImagePullBackOff',
  'Unknown',
] as const
export type ProgressError = (typeof progressErrors)[number]

/** `Waiting`: the device has not begun. `Success` and `Fail` are the last of a stream. */
export const ContainerProgress = z.object({
  status: z.enum(['Waiting', 'Downloading', 'Unpacking', 'Running', 'Success', 'Fail']),
  /** Of the image, while it comes and the engine says how much of it is there. */
  percentage: z.optional(z.int()),
  error: z.optional(z.enum(progressErrors)),
  message: z.optional(z.string()),
})
export type ContainerProgress = z.output<typeof ContainerProgress>

export const EsimProgressEvent = z.object({
  status: z.enum(['Waiting', 'Running', 'Success', 'Fail']),
  /** What the device does now. */
  step: z.optional(z.string()),
  progress: z.optional(z.int()),
  error: z.optional(z.enum(progressErrors)),
  message: z.optional(z.string()),
  /** As the device reported them last. */
  profiles: z.array(
    z.object({
      aid: z.nullable(z.string()),
      iccid: z.string(),
      provider_name: z.nullable(z.string()),
      state: z.enum(['enabled', 'disabled']),
    })
  ),
})
export type EsimProgressEvent = z.output<typeof EsimProgressEvent>
