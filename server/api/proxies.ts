import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import express from 'express';
import { peerAddressOf, plainAddress } from './request.js';

/** Whether the machine at `address` is a proxy of ours; `hops` counts from the one that is connected to us, which has 0. */
export type IsProxy = (address: string, hops: number) => boolean;

/**
 * The machines whose word for others is taken, by Express' rules: a number of hops, or `loopback`, `linklocal`, `uniquelocal`, addresses
 * and CIDRs, separated by commas. Throws when `text` is none of it.
 */
export function readProxies(text: string): IsProxy {
  const hops = /^\d{1,3}$/.test(text) ? Number(text) : null;
  return express()
    .set('trust proxy', hops ?? text)
    .get('trust proxy fn') as IsProxy;
}

/** What is known of clients that may come through proxies. */
export interface Clients {
  /** IP address, IPv4 in its own form also on a dual-stack socket. */
  addressOf(request: IncomingMessage): string;
  /** Whether the client's own connection is encrypted. */
  isHttps(request: IncomingMessage): boolean;
  /** The host that the client asked for. */
  hostOf(request: IncomingMessage): string | undefined;
}

/** Headers about the client are believed from proxies of ours alone; a client that writes them itself is not asked. */
export function createClients(isProxy: IsProxy): Clients {
  const forwarded = (request: IncomingMessage, name: 'x-forwarded-proto' | 'x-forwarded-host') =>
    isProxy(peerAddressOf(request), 0) ? valuesOf(request.headers[name])[0] : undefined;
  return {
    addressOf(request) {
      let address = peerAddressOf(request);
      // Each proxy adds at the end whom it heard: read from there for as long as proxies of ours speak.
      for (const [hops, heard] of valuesOf(request.headers['x-forwarded-for']).reverse().entries()) {
        if (!isProxy(address, hops) || isIP(heard) === 0) break;
        address = plainAddress(heard);
      }
      return address;
    },
    isHttps: (request) =>
      'encrypted' in request.socket || forwarded(request, 'x-forwarded-proto') === 'https',
    hostOf: (request) => forwarded(request, 'x-forwarded-host') ?? request.headers.host,
  };
}

const valuesOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
