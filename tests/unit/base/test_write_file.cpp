#include "base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/failure.h"
#include "catch.h"

using namespace vaa;

namespace {

struct Folder {
  Folder() { REQUIRE(::mkdtemp(name)); }
  ~Folder() { std::system(("rm -rf " + std::string(name)).c_str()); }
  std::string at(const char* file) const { return std::string(name) + "/" + file; }
  char name[32] = "/tmp/vaa-write-XXXXXX";
};

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

void write_whole(const std::string& path, const char* text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

TEST_CASE("write: a file is what it was until all of the new one is there", "[base]") {
  Folder folder;
  const std::string path = folder.at("out");
  write_whole(path, "old");
  {
    AtomicFile file(path);
    file.write("half");
    CHECK(content(path) == "old");
  }
  CHECK(content(path) == "old");
  write_whole(path, "new");
  CHECK(content(path) == "new");
}

TEST_CASE("write: through a link, what it leads to is replaced and the link stays", "[base]") {
  Folder folder;
  write_whole(folder.at("target"), "old");
  REQUIRE(::symlink(folder.at("target").c_str(), folder.at("link").c_str()) == 0);
  write_whole(folder.at("link"), "new");
  struct stat info {};
  REQUIRE(::lstat(folder.at("link").c_str(), &info) == 0);
  CHECK(S_ISLNK(info.st_mode));
  CHECK(content(folder.at("target")) == "new");
}

TEST_CASE("write: the name of a file that is open already is written in place, and stays", "[base]") {
  Folder folder;
  const int fd = ::open(folder.at("out").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
  REQUIRE(fd >= 0);
  REQUIRE(::write(fd, "before ", 7) == 7);
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  write_whole(name, "behind");
  CHECK(content(folder.at("out")) == "before behind");
  struct stat info {};
  REQUIRE(::lstat("/dev/stdout", &info) == 0);
  CHECK(S_ISLNK(info.st_mode));
  ::close(fd);
}
