#include "plimsoll/train/processes/process_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_text.h"

namespace plimsoll::train {
namespace {

using ::testing::HasSubstr;

const Variables torchrun{{"RANK", "3"},
                         {"WORLD_SIZE", "4"},
                         {"LOCAL_RANK", "1"},
                         {"LOCAL_WORLD_SIZE", "2"},
                         {"MASTER_ADDR", "10.0.0.7"},
                         {"MASTER_PORT", "4321"}};
const Variables open_mpi{{"OMPI_COMM_WORLD_RANK", "1"},
                         {"OMPI_COMM_WORLD_SIZE", "2"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
const Variables mpich{
    {"PMI_RANK", "2"}, {"PMI_SIZE", "3"}, {"MPI_LOCALRANKID", "2"}, {"MPI_LOCALNRANKS", "3"}};
const Variables srun{{"SLURM_JOB_ID", "17"},
                     {"SLURM_STEP_ID", "0"},
                     {"SLURM_PROCID", "5"},
                     {"SLURM_STEP_NUM_TASKS", "8"},
                     {"SLURM_LOCALID", "1"},
                     {"SLURM_NTASKS", "8"},
                     {"SLURM_STEP_NUM_NODES", "2"},
                     {"SLURM_STEP_NODELIST", "gpu[07-08]"},
                     {"SLURM_JOB_NODELIST", "cpu1,gpu[07-08]"},
                     {"SLURM_LAUNCH_NODE_IPADDR", "192.168.0.1"}};

Variables with(Variables variables, const Variables& more) {
    for (const auto& [name, value] : more) variables[name] = value;
    return variables;
}

std::string refusal(const Variables& variables) {
    const auto place = place_from(variables);
    EXPECT_FALSE(place.ok());
    return error_text(place);
}

TEST(ProcessPlaceTest, NoLauncherIsOneProcess) {
    const ProcessRank place = place_from({{"HOME", "/root"}, {"MASTER_PORT", "x"}}).value();
    EXPECT_EQ(place.rank, 0);
    EXPECT_EQ(place.count, 1);
    EXPECT_GT(environment_variables().size(), 0U);
}

TEST(ProcessPlaceTest, Torchrun) {
    const ProcessRank place = place_from(torchrun).value();
    EXPECT_EQ(place.rank, 3);
    EXPECT_EQ(place.count, 4);
    EXPECT_EQ(place.local_rank, 1);
    EXPECT_EQ(place.address, "10.0.0.7");
    EXPECT_EQ(place.port, 4321);
    EXPECT_FALSE(place.one_host());
    EXPECT_TRUE(place_from(with(torchrun, {{"MASTER_ADDR", "localhost"}})).value().one_host());
}

TEST(ProcessPlaceTest, MpirunOnOneHostNeedsNoAddress) {
    const ProcessRank place = place_from(open_mpi).value();
    EXPECT_EQ(place.rank, 1);
    EXPECT_EQ(place.count, 2);
    EXPECT_EQ(place.local_rank, 1);
    EXPECT_TRUE(place.one_host());
    EXPECT_EQ(place_from(mpich).value().rank, 2);
    EXPECT_EQ(place_from(mpich).value().local_rank, 2);
    EXPECT_TRUE(place_from(mpich).value().one_host());
}

TEST(ProcessPlaceTest, MpirunOnSeveralHostsNeedsOne) {
    const Variables spread = with(open_mpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}});
    EXPECT_THAT(refusal(spread), HasSubstr("MASTER_ADDR: is not set: mpirun (Open MPI) does not say"));
    EXPECT_EQ(place_from(with(spread, {{"MASTER_ADDR", "node1"}})).value().address, "node1");
    EXPECT_EQ(place_from(with(spread, {{"SLURM_JOB_NODELIST", "node[1-2]"}})).value().address, "node1");
}

// SLURM_LAUNCH_NODE_IPADDR is where srun was typed, which may be a login node.
TEST(ProcessPlaceTest, SrunHasProcessZeroOnTheFirstHostOfTheStep) {
    const ProcessRank place = place_from(srun).value();
    EXPECT_EQ(place.rank, 5);
    EXPECT_EQ(place.count, 8);
    EXPECT_EQ(place.local_rank, 1);
    EXPECT_EQ(place.address, "gpu07");
    EXPECT_EQ(place_from(with(srun, {{"MASTER_ADDR", "head"}})).value().address, "head");
    EXPECT_TRUE(place_from(with(srun, {{"SLURM_STEP_NUM_NODES", "1"}})).value().one_host());
}

TEST(ProcessPlaceTest, TheShellsOfSallocAndSbatchAreOneProcess) {
    const Variables batch{
        {"SLURM_JOB_ID", "17"}, {"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}};
    EXPECT_EQ(place_from(batch).value().count, 1);
    const Variables interactive = with(srun, {{"SLURM_STEP_ID", "4294967290"}});
    EXPECT_EQ(place_from(interactive).value().count, 1);
}

TEST(ProcessPlaceTest, TheInnermostLauncherHolds) {
    EXPECT_EQ(place_from(with(with(srun, torchrun), {{"WORLD_SIZE", "16"}})).value().count, 16);
    const Variables daemons = with(srun, {{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}});
    EXPECT_EQ(place_from(with(daemons, mpich)).value().rank, 2);
    const Variables pmi2 = with(srun, {{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}});
    EXPECT_EQ(place_from(pmi2).value().local_rank, 1);
    EXPECT_EQ(place_from(pmi2).value().address, "gpu07");
}

TEST(ProcessPlaceTest, ContradictionsAreErrors) {
    EXPECT_THAT(refusal({{"RANK", "0"}}),
                HasSubstr("WORLD_SIZE: is not set, but RANK is; torchrun sets both. --alone trains with"));
    EXPECT_THAT(refusal({{"PMI_SIZE", "2"}}), HasSubstr("PMI_RANK: is not set, but PMI_SIZE is"));
    EXPECT_THAT(refusal(with(torchrun, {{"RANK", "4"}})),
                HasSubstr("RANK: must be a whole number from 0 to 3, got '4'"));
    EXPECT_THAT(refusal(with(torchrun, {{"WORLD_SIZE", "many"}})),
                HasSubstr("WORLD_SIZE: must be a whole number"));
    EXPECT_THAT(refusal(with(torchrun, {{"MASTER_PORT", "70000"}})),
                HasSubstr("MASTER_PORT: must be a whole number"));
    EXPECT_THAT(refusal(with(srun, torchrun)), HasSubstr("WORLD_SIZE: is 4, but srun started 8 processes"));
    EXPECT_THAT(refusal(with(torchrun, {{"PLIMSOLL_PROCESS_TIMEOUT", "0"}})),
                HasSubstr("PLIMSOLL_PROCESS_TIMEOUT"));
    Variables no_rank = srun;
    no_rank.erase("SLURM_PROCID");
    EXPECT_THAT(refusal(no_rank), HasSubstr("SLURM_PROCID: is not set"));
}

TEST(ProcessPlaceTest, PortsDependOnTheJobAlone) {
    const int port = place_from(srun).value().port;
    EXPECT_EQ(place_from(with(srun, {{"SLURM_PROCID", "0"}})).value().port, port);
    EXPECT_NE(place_from(with(srun, {{"SLURM_JOB_ID", "18"}})).value().port, port);
    EXPECT_NE(place_from(with(srun, {{"SLURM_STEP_ID", "1"}})).value().port, port);
    EXPECT_GE(port, 20000);
    EXPECT_LT(port, 30000);
}

TEST(ProcessPlaceTest, FirstHostOfAList) {
    EXPECT_EQ(first_host("node1"), "node1");
    EXPECT_EQ(first_host("node1,node2"), "node1");
    EXPECT_EQ(first_host("node[03-05,7],x"), "node03");
    EXPECT_EQ(first_host("node[7,9]-ib,x"), "node7-ib");
    EXPECT_EQ(first_host("rack[1-2]node[11,13]"), "rack1node11");
    EXPECT_EQ(first_host("node[3"), "node3");
    EXPECT_EQ(first_host(""), "");
}

}  // namespace
}  // namespace plimsoll::train
