import * as kinds from './kinds.ts'
import type { Kind } from './kinds.ts'
import { location, timeZone } from './location.ts'
import { errorCauses, pdpTypes, ratTypes, statusTypes, terminateCauses } from './words.ts'

/** One attribute we know. `vendor` is 0 for the standard ones; `words` names its numbers. */
export type Definition<T> = { vendor: number; type: number; name: string; kind: Kind<T>; words?: Record<number, string> }

/** The vendor number of 3GPP (TS 29.061). */
export const vendor3gpp = 10415
/** Holds sub-attributes; never given to `encode` itself. */
export const vendorSpecific = 26

const standard = <T>(type: number, name: string, kind: Kind<T>, words?: Record<number, string>): Definition<T> => ({
  vendor: 0,
  type,
  name,
  kind,
  ...(words && { words }),
})
const gpp = <T>(type: number, name: string, kind: Kind<T>, words?: Record<number, string>): Definition<T> => ({
  ...standard(type, `3GPP-${name}`, kind, words),
  vendor: vendor3gpp,
})

/** Every attribute we read or write, by the name our records use. Numbers: RFC 2865, 2866, 2869, 3162, 5176; TS 29.061 §16.4.7. */
export const dictionary = {
  user_name: standard(1, 'User-Name', kinds.text),
  user_password: standard(2, 'User-Password', kinds.octets),
  chap_password: standard(3, 'CHAP-Password', kinds.octets),
  nas_ip: standard(4, 'NAS-IP-Address', kinds.address),
  nas_port: standard(5, 'NAS-Port', kinds.integer),
  service_type: standard(6, 'Service-Type', kinds.integer, { 1: 'Login', 2: 'Framed' }),
  framed_protocol: standard(7, 'Framed-Protocol', kinds.integer, { 1: 'PPP', 7: 'GPRS-PDP-Context' }),
  framed_ip: standard(8, 'Framed-IP-Address', kinds.address),
  framed_netmask: standard(9, 'Framed-IP-Netmask', kinds.address),
  framed_routing: standard(10, 'Framed-Routing', kinds.integer),
  filter_id: standard(11, 'Filter-Id', kinds.text),
  framed_mtu: standard(12, 'Framed-MTU', kinds.integer),
  framed_compression: standard(13, 'Framed-Compression', kinds.integer),
  login_ip_host: standard(14, 'Login-IP-Host', kinds.address),
  login_service: standard(15, 'Login-Service', kinds.integer),
  reply_message: standard(18, 'Reply-Message', kinds.text),
  state: standard(24, 'State', kinds.octets),
  class: standard(25, 'Class', kinds.octets),
  session_timeout: standard(27, 'Session-Timeout', kinds.integer),
  idle_timeout: standard(28, 'Idle-Timeout', kinds.integer),
  called_station_id: standard(30, 'Called-Station-Id', kinds.text),
  calling_station_id: standard(31, 'Calling-Station-Id', kinds.text),
  nas_identifier: standard(32, 'NAS-Identifier', kinds.text),
  proxy_state: standard(33, 'Proxy-State', kinds.octets),
  acct_status_type: standard(40, 'Acct-Status-Type', kinds.integer, statusTypes),
  acct_delay_time: standard(41, 'Acct-Delay-Time', kinds.integer),
  acct_input_octets: standard(42, 'Acct-Input-Octets', kinds.integer),
  acct_output_octets: standard(43, 'Acct-Output-Octets', kinds.integer),
  acct_session_id: standard(44, 'Acct-Session-Id', kinds.text),
  acct_authentic: standard(45, 'Acct-Authentic', kinds.integer, { 1: 'RADIUS', 2: 'Local', 3: 'Remote' }),
  acct_session_time: standard(46, 'Acct-Session-Time', kinds.integer),
  acct_input_packets: standard(47, 'Acct-Input-Packets', kinds.integer),
  acct_output_packets: standard(48, 'Acct-Output-Packets', kinds.integer),
  acct_terminate_cause: standard(49, 'Acct-Terminate-Cause', kinds.integer, terminateCauses),
  acct_multi_session_id: standard(50, 'Acct-Multi-Session-Id', kinds.text),
  acct_input_gigawords: standard(52, 'Acct-Input-Gigawords', kinds.integer),
  acct_output_gigawords: standard(53, 'Acct-Output-Gigawords', kinds.integer),
  event_timestamp: standard(55, 'Event-Timestamp', kinds.time),
  chap_challenge: standard(60, 'CHAP-Challenge', kinds.octets),
  nas_port_type: standard(61, 'NAS-Port-Type', kinds.integer, { 5: 'Virtual', 18: 'Wireless-Other' }),
  eap_message: standard(79, 'EAP-Message', kinds.octets),
  message_authenticator: standard(80, 'Message-Authenticator', kinds.octets),
  acct_interim_interval: standard(85, 'Acct-Interim-Interval', kinds.integer),
  nas_ipv6: standard(95, 'NAS-IPv6-Address', kinds.ipv6),
  framed_ipv6_prefix: standard(97, 'Framed-IPv6-Prefix', kinds.ipv6prefix),
  error_cause: standard(101, 'Error-Cause', kinds.integer, errorCauses),

  imsi: gpp(1, 'IMSI', kinds.text),
  charging_id: gpp(2, 'Charging-Id', kinds.integer),
  pdp_type: gpp(3, 'PDP-Type', kinds.integer, pdpTypes),
  charging_gateway: gpp(4, 'Charging-Gateway-Address', kinds.address),
  negotiated_qos: gpp(5, 'GPRS-Negotiated-QoS-Profile', kinds.text),
  sgsn_address: gpp(6, 'SGSN-Address', kinds.address),
  ggsn_address: gpp(7, 'GGSN-Address', kinds.address),
  imsi_mccmnc: gpp(8, 'IMSI-MCC-MNC', kinds.text),
  ggsn_mccmnc: gpp(9, 'GGSN-MCC-MNC', kinds.text),
  nsapi: gpp(10, 'NSAPI', kinds.text),
  session_stop_indicator: gpp(11, 'Session-Stop-Indicator', kinds.octet),
  selection_mode: gpp(12, 'Selection-Mode', kinds.text),
  charging_characteristics: gpp(13, 'Charging-Characteristics', kinds.text),
  sgsn_ipv6: gpp(15, 'SGSN-IPv6-Address', kinds.ipv6),
  ggsn_ipv6: gpp(16, 'GGSN-IPv6-Address', kinds.ipv6),
  sgsn_mccmnc: gpp(18, 'SGSN-MCC-MNC', kinds.text),
  teardown_indicator: gpp(19, 'Teardown-Indicator', kinds.octet),
  imeisv: gpp(20, 'IMEISV', kinds.text),
  rat_type: gpp(21, 'RAT-Type', kinds.octet, ratTypes),
  user_location: gpp(22, 'User-Location-Info', location),
  ms_time_zone: gpp(23, 'MS-TimeZone', timeZone),
  camel_charging: gpp(24, 'CAMEL-Charging-Info', kinds.octets),
  packet_filter: gpp(25, 'Packet-Filter', kinds.octets),
  negotiated_dscp: gpp(26, 'Negotiated-DSCP', kinds.octet),
  allocate_ip_type: gpp(27, 'Allocate-IP-Type', kinds.octet),
} as const

export type AttributeName = keyof typeof dictionary
type ValueOf<Name extends AttributeName> = (typeof dictionary)[Name] extends Definition<infer T> ? T : never

/** What `encode` takes: `{ user_name: 'a', proxy_state: [first, second] }`, in the order they shall have. */
export type Attributes = { [Name in AttributeName]?: ValueOf<Name> | readonly ValueOf<Name>[] }
