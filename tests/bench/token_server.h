// A server that streams tokens to many connections from one thread: what is measured against it is the client.
#pragma once

struct TokenServer {
  int tokens = 1000;       // of each answer
  double pace_s = 0;       // between two tokens of a stream; 0: as fast as the client reads
  bool stream = true;      // false: one small body
};
// Prints its port as the first line, and serves until its standard input ends.
int serve_tokens(const TokenServer& options);
