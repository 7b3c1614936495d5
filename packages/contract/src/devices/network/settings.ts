import * as z from 'zod/mini'

/** Interfaces that are put in an order at most. */
export const mostInterfaces = 16
/** The metric of an interface's default route is its place in the order by this. */
export const metricStep = 100

export const InterfaceName = z.string().check(z.regex(/^\w[\w.:@-]{0,31}$/, 'Name an interface, like eth0'))
export const Apn = z
  .string('Enter an APN')
  .check(z.regex(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,98}[A-Za-z0-9])?$/, 'Enter an APN, like super or iot.example'))
const printable = (least: number, most: number, words: string) =>
  z.string(words).check(z.minLength(least, words), z.maxLength(most, words), z.regex(/^[^\p{Cc}]*$/u, 'Leave out control characters'))
export const ApnUser = printable(1, 64, 'Use 1 to 64 characters')
export const ApnPassword = printable(1, 64, 'Use 1 to 64 characters')
export const SimPin = z.string('Enter a PIN').check(z.regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits'))

/** Wi-Fi networks that are wanted on a device at most. */
export const mostWifi = 8
export const Ssid = z.string('Enter the name of a network').check(
  z.minLength(1, 'Enter the name of a network'),
  z.regex(/^[^\p{Cc}]*$/u, 'Leave out control characters'),
  z.refine((text) => new TextEncoder().encode(text).length <= 32, 'The name of a network has at most 32 bytes')
)
export const WifiPassword = z.string().check(z.regex(/^[\x20-\x7e]{8,63}$/, 'A Wi-Fi password has 8 to 63 letters, digits and signs'))
/** `wpa2` also where both are spoken. */
export const WifiSecurity = z.enum(['open', 'wpa2', 'wpa3'])
export type WifiSecurity = z.output<typeof WifiSecurity>
const DesiredWifi = z.object({ ssid: Ssid, security: WifiSecurity, hidden: z.boolean(), password: z.nullable(WifiPassword) })
export type DesiredWifi = z.output<typeof DesiredWifi>

export const Iccid = z.string().check(z.regex(/^\d{18,20}$/, 'An ICCID has 18 to 20 digits'))
export const ActivationCode = z
  .string('Enter an activation code')
  .check(z.maxLength(255), z.regex(/^LPA:1\$[\w.:-]+\$[\w.$-]*$/, 'Enter an activation code, like LPA:1$smdp.example.com$ABC-123'))
export const ConfirmationCode = z.string().check(z.regex(/^[\x21-\x7e]{1,64}$/, 'Use 1 to 64 letters, digits and signs'))

/** What a profile is called on its eSIM: SGP.22 has 64 bytes for it. */
export const ProfileName = z.string().check(
  z.minLength(1, 'Enter a name'),
  z.regex(/^[^\p{Cc}]*$/u, 'Leave out control characters'),
  z.refine((text) => new TextEncoder().encode(text).length <= 64, 'The name of a profile has at most 64 bytes')
)

/** Something to do once with the profiles of an eSIM. It is done for its generation and not again. */
const EsimJob = z.discriminatedUnion('do', [
  z.object({
    generation: z.int(),
    do: z.literal('add'),
    code: ActivationCode,
    confirmation: z.nullable(ConfirmationCode),
    name: z.optional(ProfileName),
    /** It is set when the device is switched to the profile. */
    apn: z.optional(Apn),
  }),
  z.object({ generation: z.int(), do: z.literal('delete'), iccid: Iccid }),
])
export type EsimJob = z.output<typeof EsimJob>

/**
 * What is wanted of a device's network, as it is sent to it. `generation` is another each time that a setting of it changed or is to be tried
 * anew, and is not used twice on a device; a job of its eSIM has one of its own. 0: no setting was ever wanted. Null: it is left as the device has it.
 */
export const DesiredNetwork = z.object({
  generation: z.int(),
  /** Names of interfaces; the first that has a connection is used. */
  priority: z.nullable(z.array(InterfaceName).check(z.maxLength(mostInterfaces))),
  apn: z.nullable(z.object({ name: Apn, user: z.nullable(ApnUser), password: z.nullable(ApnPassword) })),
  /** Networks that the device has beside its own. */
  wifi: z._default(z.nullable(z.array(DesiredWifi).check(z.maxLength(mostWifi))), null),
  /** The profile of the eSIM that is to be in use. */
  profile: z._default(z.nullable(Iccid), null),
  esim: z._default(z.nullable(EsimJob), null),
  /** With a generation of its own: a PIN that was refused is not tried again because something else changed. */
  pin: z.nullable(z.object({ generation: z.int(), code: SimPin })),
})
export type DesiredNetwork = z.output<typeof DesiredNetwork>
